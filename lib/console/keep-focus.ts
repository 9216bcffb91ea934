const FOCUSABLE = ':is(a[href], button, input, select, textarea, [tabindex]):not(:disabled, [hidden])'

/** The last focused element, then its ancestors within the body, the innermost first. */
let path: Element[] = []

function restore(): void {
  const [last] = path
  const isLost = document.activeElement === null || document.activeElement === document.body
  if (!isLost || last === undefined) return
  const isUsable = last.isConnected && last.matches(FOCUSABLE)
  const place = path.slice(1).find((element) => element.isConnected && element.querySelector(FOCUSABLE))
  const next = isUsable ? last : (place?.querySelector(FOCUSABLE) ?? document.getElementById('main'))
  if (next instanceof HTMLElement) next.focus({ preventScroll: true })
}

/** Moves the focus to the nearest control when the focused one is removed or disabled by its own action. */
export function keepFocus(): void {
  addEventListener('focusin', (event) => {
    const elements = event.composedPath().filter((place) => place instanceof Element)
    path = elements.slice(0, elements.indexOf(document.body))
  })
  // A click beside all controls takes the focus on purpose.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && target.closest(FOCUSABLE) === null) path = []
  })
  const observer = new MutationObserver(() => {
    // The browser drops the focus of a disabled element with its next drawing.
    requestAnimationFrame(() => setTimeout(restore))
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
}
