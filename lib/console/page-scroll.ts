/** The window scrolls; while something lies on the shelf, the part of the page above it does. */
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

/** Goes back to where the page was before something else began to scroll. */
export const restorePageTop = (): void => scrollPage(top)
