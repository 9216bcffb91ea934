import { createStorage } from '../client/storage.ts'

/** The storage of each view's token. The token of the first admin outlives a sign-in, which may leave the page. */
const STORAGES = {
  reset: createStorage(() => undefined),
  'first-admin': createStorage(() => sessionStorage),
}
type LinkView = keyof typeof STORAGES

const LINK = /^#\/(reset|first-admin)\/([\w-]+)/
const toKey = (view: LinkView) => `gamehall-${view}`

/** Moves the token of a one-time link from the address to a storage, so that neither history nor referrer holds it. */
export function takeLinkToken(): void {
  const [, view, token] = LINK.exec(location.hash) ?? []
  if (token === undefined || (view !== 'reset' && view !== 'first-admin')) return
  history.replaceState(null, '', `#/${view}`)
  STORAGES[view].setItem(toKey(view), token)
}

export const readLinkToken = (view: LinkView): string | undefined => STORAGES[view].getItem(toKey(view)) ?? undefined

export const dropLinkToken = (view: LinkView): void => STORAGES[view].removeItem(toKey(view))
