import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import { ACCESS_COOKIE } from '../auth/find-session-user.ts'
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../auth/lifetimes.ts'
import { readCookies } from '../auth/read-cookies.ts'
import type { Config } from '../config.ts'

/** The two cookies of a session, as a function may read and set them. */
export interface SessionCookies {
  /** One from nearly every browser; several where it holds cookies of another path or domain. */
  readonly refreshTokens: readonly string[]
  /** Without `refreshToken` the browser keeps the one it has. */
  set(tokens: { accessToken: string; refreshToken?: string | undefined }): void
  clear(): void
}

const REFRESH_COOKIE = 'refreshSessionToken'
/** Each costs the database up to three commands. */
const REFRESH_TOKENS_TRIED = 3

export function createSessionCookies(config: Config): (c: Context) => SessionCookies {
  const shared = {
    httpOnly: true,
    sameSite: config.cookieSameSite === 'none' ? 'None' : 'Lax',
    secure: config.areCookiesSecure,
    ...(config.cookieDomain !== undefined && { domain: config.cookieDomain }),
  } as const satisfies CookieOptions
  const access = { ...shared, path: '/' }
  const refresh = { ...shared, path: '/auth' }

  return (c) => ({
    get refreshTokens() {
      return readCookies(c.req.header('cookie'), REFRESH_COOKIE, REFRESH_TOKENS_TRIED)
    },
    set({ accessToken, refreshToken }) {
      setCookie(c, ACCESS_COOKIE, accessToken, { ...access, maxAge: ACCESS_TOKEN_SECONDS })
      if (refreshToken !== undefined) {
        setCookie(c, REFRESH_COOKIE, refreshToken, { ...refresh, maxAge: REFRESH_TOKEN_SECONDS })
      }
    },
    clear() {
      setCookie(c, ACCESS_COOKIE, '', { ...access, maxAge: 0 })
      setCookie(c, REFRESH_COOKIE, '', { ...refresh, maxAge: 0 })
    },
  })
}
