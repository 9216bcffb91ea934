/**
 * Leaves the keys of an input method to it, so that the key that ends its text neither sends a form nor closes a dialog.
 * Some browsers mark that key by its code alone.
 */
export function leaveKeysToInputMethod(): void {
  const onKey = (event: KeyboardEvent) => {
    if (!event.isComposing && event.keyCode !== 229) return
    event.stopImmediatePropagation()
    if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault()
  }
  addEventListener('keydown', onKey, { capture: true })
}
