/** Keeps the session's cookies in Node, where no browser does. */
export interface CookieJar {
  header(path: string): string
  store(headers: Headers): void
}

const isBelow = (path: string, parent: string) =>
  path === parent || path.startsWith(parent.endsWith('/') ? parent : `${parent}/`)

/** Creates a jar for `createClient({ cookies })`; a browser needs none. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, { value: string; path: string }>()

  return {
    header: (path) =>
      [...cookies]
        .filter(([, cookie]) => isBelow(path, cookie.path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; '),
    store(headers) {
      for (const line of headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(/; */)
        const name = pair.slice(0, pair.indexOf('='))
        const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
        if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(name)
        else cookies.set(name, { value: pair.slice(name.length + 1), path })
      }
    },
  }
}
