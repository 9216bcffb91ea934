/** The views that one-time links open. */
type LinkView = 'reset' | 'first-admin'

const tokens: Partial<Record<LinkView, string>> = {}
const LINK = /^#\/(reset|first-admin)\/([\w-]+)/
const toKey = (view: LinkView) => `gamehall-${view}`

/**
 * Takes the token of a one-time link out of the address, so that neither the history nor a link back has it. The first
 * admin's is kept for the sign-in, which may leave the page.
 */
export function takeLinkToken(): void {
  const [, view, token] = LINK.exec(location.hash) ?? []
  if (token === undefined || (view !== 'reset' && view !== 'first-admin')) return
  history.replaceState(null, '', `#/${view}`)
  tokens[view] = token
  try {
    if (view === 'first-admin') sessionStorage.setItem(toKey(view), token)
  } catch {
    // The browser refuses storage: the token is kept as long as the page.
  }
}

export function readLinkToken(view: LinkView): string | undefined {
  try {
    return tokens[view] ?? sessionStorage.getItem(toKey(view)) ?? undefined
  } catch {
    return tokens[view]
  }
}

export function dropLinkToken(view: LinkView): void {
  delete tokens[view]
  try {
    sessionStorage.removeItem(toKey(view))
  } catch {
    // Nothing was kept.
  }
}
