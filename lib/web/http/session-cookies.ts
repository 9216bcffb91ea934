import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import type { Config } from '../../base/config.ts'
import { isKnownDeviceForm } from '../../domain/auth/known-devices.ts'
import { ACCESS_TOKEN_SECONDS, KNOWN_DEVICE_SECONDS, REFRESH_TOKEN_SECONDS } from '../../domain/auth/lifetimes.ts'
import { readCookies } from '../../domain/auth/read-cookies.ts'
import { ACCESS_COOKIE } from '../../domain/auth/session-user.ts'
import { isAccessTokenForm, readFamilyId } from '../../domain/auth/tokens.ts'

/** The cookies of a session and of the device, as a function may read and set them. */
export interface SessionCookies {
  /** Nearly always one; several where a browser holds cookies of another path or domain. */
  readonly refreshTokens: readonly string[]
  readonly accessTokens: readonly string[]
  readonly knownDevices: readonly string[]
  /** Without `refreshToken` the browser keeps the one it has. */
  set(tokens: { accessToken: string; refreshToken?: string | undefined; knownDevice?: string }): void
  /** Clears those of the host, too, where a domain is configured. The device stays known: it says nothing of a session. */
  clear(): void
}

const REFRESH_COOKIE = 'refreshSessionToken'
const DEVICE_COOKIE = 'knownDevice'
/** Tokens tried of each name. A refresh token costs the database up to three commands, the others a signature. */
const TRIED = 8
const isRefreshTokenForm = (token: string) => readFamilyId(token) !== undefined

export function createSessionCookies(config: Config): (c: Context) => SessionCookies {
  const shared = {
    httpOnly: true,
    sameSite: config.cookieSameSite === 'none' ? 'None' : 'Lax',
    secure: config.areCookiesSecure,
  } as const satisfies CookieOptions
  const domain = config.cookieDomain === undefined ? {} : { domain: config.cookieDomain }
  const access = { ...shared, ...domain, path: '/' }
  const refresh = { ...shared, ...domain, path: '/auth' }
  /** A cookie with a domain and one without are two, and the browser may hold one from before a domain was configured. */
  const forms = config.cookieDomain === undefined ? [{}] : [domain, {}]

  const read = (c: Context, name: string, isForm: (value: string) => boolean) =>
    readCookies(c.req.header('cookie'), name, { most: TRIED, isForm })

  return (c) => ({
    get refreshTokens() {
      return read(c, REFRESH_COOKIE, isRefreshTokenForm)
    },
    get accessTokens() {
      return read(c, ACCESS_COOKIE, isAccessTokenForm)
    },
    get knownDevices() {
      return read(c, DEVICE_COOKIE, isKnownDeviceForm)
    },
    set({ accessToken, refreshToken, knownDevice }) {
      setCookie(c, ACCESS_COOKIE, accessToken, { ...access, maxAge: ACCESS_TOKEN_SECONDS })
      if (refreshToken !== undefined) {
        setCookie(c, REFRESH_COOKIE, refreshToken, { ...refresh, maxAge: REFRESH_TOKEN_SECONDS })
      }
      if (knownDevice !== undefined) {
        setCookie(c, DEVICE_COOKIE, knownDevice, { ...refresh, maxAge: KNOWN_DEVICE_SECONDS })
      }
    },
    clear() {
      for (const form of forms) {
        setCookie(c, ACCESS_COOKIE, '', { ...shared, ...form, path: access.path, maxAge: 0 })
        setCookie(c, REFRESH_COOKIE, '', { ...shared, ...form, path: refresh.path, maxAge: 0 })
      }
    },
  })
}
