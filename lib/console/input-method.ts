/** Leaves the keys of an input method to it. Some browsers mark its last key by the code 229 alone. */
export function leaveKeysToInputMethod(): void {
  const onKey = (event: KeyboardEvent) => {
    if (!event.isComposing && event.keyCode !== 229) return
    event.stopImmediatePropagation()
    if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault()
  }
  addEventListener('keydown', onKey, { capture: true })
}
