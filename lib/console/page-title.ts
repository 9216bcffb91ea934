import { effect, signal } from '@preact/signals'

/** The name of the open view. */
export const viewTitle = signal('')
/** The number of unread notifications. */
export const unreadCount = signal(0)

effect(() => {
  const count = unreadCount.value > 0 ? `(${unreadCount.value}) ` : ''
  const name = viewTitle.value === '' ? '' : `${viewTitle.value} · `
  document.title = `${count}${name}gamehall`
})
