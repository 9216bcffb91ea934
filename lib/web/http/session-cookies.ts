import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import type { Config } from '../../base/config.ts'
import { isKnownDeviceForm } from '../../domain/auth/known-devices.ts'
import { readCookies } from '../../domain/auth/read-cookies.ts'
import {
  ACCESS_TOKEN_SECONDS,
  KNOWN_DEVICE_SECONDS,
  REFRESH_TOKEN_SECONDS,
  readFamilyId,
} from '../../domain/auth/sessions/tokens.ts'
import { isAccessTokenForm } from '../../domain/auth/sessions/verify-token.ts'

/** The cookies of a session and of the device, for functions to read and set. */
export type SessionCookies = ReturnType<ReturnType<typeof createSessionCookies>>

interface Tokens {
  accessToken: string
  /** When it is missing, the browser keeps the one that it has. */
  refreshToken?: string | undefined
  knownDevice?: string
}

const REFRESH_COOKIE = 'refreshSessionToken'
const DEVICE_COOKIE = 'knownDevice'
/** Most tokens of a name that are tried. A refresh token costs up to three commands of the database, any other a signature. */
const TRIED = 8
const isRefreshTokenForm = (token: string) => readFamilyId(token) !== undefined

export function createSessionCookies(config: Config) {
  const shared = {
    httpOnly: true,
    sameSite: config.cookieSameSite === 'none' ? 'None' : 'Lax',
    secure: config.areCookiesSecure,
  } as const satisfies CookieOptions
  const domain = config.cookieDomain === undefined ? {} : { domain: config.cookieDomain }
  const access = { ...shared, ...domain, path: '/' }
  const refresh = { ...shared, ...domain, path: '/auth' }
  /** A cookie with a domain and one without are two cookies, and the browser may hold one from before the domain was configured. */
  const forms = config.cookieDomain === undefined ? [{}] : [domain, {}]

  const read = (c: Context, name: string, isForm: (value: string) => boolean) =>
    readCookies(c.req.header('cookie'), name, { most: TRIED, isForm })

  return (c: Context) => ({
    /** Usually one. A browser sends several when it holds cookies of other paths or domains. */
    get refreshTokens() {
      return read(c, REFRESH_COOKIE, isRefreshTokenForm)
    },
    get accessTokens() {
      return read(c, config.sessionCookie, isAccessTokenForm)
    },
    get knownDevices() {
      return read(c, DEVICE_COOKIE, isKnownDeviceForm)
    },
    set({ accessToken, refreshToken, knownDevice }: Tokens): void {
      setCookie(c, config.sessionCookie, accessToken, { ...access, maxAge: ACCESS_TOKEN_SECONDS })
      if (refreshToken !== undefined) {
        setCookie(c, REFRESH_COOKIE, refreshToken, { ...refresh, maxAge: REFRESH_TOKEN_SECONDS })
      }
      if (knownDevice !== undefined) {
        setCookie(c, DEVICE_COOKIE, knownDevice, { ...refresh, maxAge: KNOWN_DEVICE_SECONDS })
      }
    },
    /** Clears both session cookies; where a domain is configured, those without a domain as well. The device stays known. */
    clear(): void {
      for (const form of forms) {
        setCookie(c, config.sessionCookie, '', { ...shared, ...form, path: access.path, maxAge: 0 })
        setCookie(c, REFRESH_COOKIE, '', { ...shared, ...form, path: refresh.path, maxAge: 0 })
      }
    },
  })
}
