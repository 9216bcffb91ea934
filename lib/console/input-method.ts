/** Leaves the key that ends the text of an input method to it. Some browsers mark that key by its code alone. */
export function leaveKeysToInputMethod(): void {
  const onKey = (event: KeyboardEvent) => {
    if (!event.isComposing && event.keyCode !== 229) return
    event.stopImmediatePropagation()
    if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault()
  }
  addEventListener('keydown', onKey, { capture: true })
}
