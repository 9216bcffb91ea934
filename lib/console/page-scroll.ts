/** The element that scrolls while the shelf is open. The window scrolls otherwise. */
const findScrollBox = () => document.querySelector('.page')

export const pageTop = (): number => scrollY + (findScrollBox()?.scrollTop ?? 0)

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
  findScrollBox()?.scrollTo({ top, behavior: 'instant' })
}

/** Restores the scroll position after the scrolling element has changed. */
export const restorePageTop = (): void => scrollPage(top)
