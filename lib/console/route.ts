import { signal } from '@preact/signals'
import { takeLinkToken } from './link-token.ts'

export type ViewProps = Record<string, string>

export interface Route {
  /** Decoded, without the leading `#/`: `['games', 'chrono-trigger']`. */
  path: readonly string[]
  query: URLSearchParams
  href: string
}

const FIRST_VIEW = ['discussions']

function readRoute(): Route {
  takeLinkToken()
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  const segments = path.split('/').filter(Boolean).map(decode)
  const { href } = location
  return { path: segments.length > 0 ? segments : FIRST_VIEW, query: new URLSearchParams(query), href }
}

/** A hand-typed address may hold a percent sign that encodes nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const route = signal(readRoute())
addEventListener('hashchange', () => {
  route.value = readRoute()
})

export const linkTo = (...path: string[]): string => `#/${path.map(encodeURIComponent).join('/')}`

export function open(address: string): void {
  location.hash = address
}

/** Keeps the state of a view in its address, with no step for the back button: a reload and a copied link show the same. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const query = new URLSearchParams(route.peek().query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  history.replaceState(null, '', linkTo(...route.peek().path) + (text && `?${text}`))
  route.value = readRoute()
}

/** The choice that the address names by a key of `choices`; undefined where it names none. */
export const readChoice = <T extends string>(parameter: string, choices: Readonly<Record<T, unknown>>): T | undefined =>
  // Object.keys answers strings; these are the keys of the type.
  (Object.keys(choices) as T[]).find((choice) => choice === route.value.query.get(parameter))

export const readPage = (): number => Math.max(1, Math.trunc(Number(route.value.query.get('page'))) || 1)
