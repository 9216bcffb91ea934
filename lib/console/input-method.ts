/**
 * Leaves the keys of an input method to it. The key that ends its text is one of them, also where a browser tells that
 * by its code alone, and neither sends a form nor closes a dialog.
 */
export function leaveKeysToInputMethod(): void {
  const onKey = (event: KeyboardEvent) => {
    if (!event.isComposing && event.keyCode !== 229) return
    event.stopImmediatePropagation()
    if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault()
  }
  addEventListener('keydown', onKey, { capture: true })
}
