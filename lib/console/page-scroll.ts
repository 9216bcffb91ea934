/** The element that scrolls while the shelf is open; otherwise the window does. */
const findBox = () => document.querySelector('.page')

export const pageTop = (): number => scrollY + (findBox()?.scrollTop ?? 0)

let top = 0
addEventListener(
  'scroll',
  () => {
    top = pageTop()
  },
  { capture: true, passive: true },
)

export function scrollPage(to: number): void {
  top = to
  scrollTo({ top, behavior: 'instant' })
  findBox()?.scrollTo({ top, behavior: 'instant' })
}

/** Restores the scroll position after the scrolling element has changed. */
export const restorePageTop = (): void => scrollPage(top)
