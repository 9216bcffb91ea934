import { effect, signal } from '@preact/signals'

const view = signal('')
const unread = signal(0)

/** Names the browser's tab after the view that is open. */
export const setViewTitle = (title: string) => {
  view.value = title
}
/** Puts the number of unread notifications before the name of the tab. */
export const setUnread = (count: number) => {
  unread.value = count
}

effect(() => {
  const count = unread.value > 0 ? `(${unread.value}) ` : ''
  const name = view.value === '' ? '' : `${view.value} · `
  document.title = `${count}${name}gamehall`
})
