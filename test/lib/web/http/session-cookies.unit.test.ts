import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { readConfig } from '#lib/base/config'
import { createFamilyId, createRefreshToken } from '#lib/domain/auth/sessions/tokens'
import { createSessionCookies } from '#lib/web/http/session-cookies'

async function linesWith(env: Record<string, string>, cookie = '') {
  const cookiesOf = createSessionCookies(readConfig(env))
  const app = new Hono()
  let sent: readonly string[] = []
  app.get('/set', (c) => {
    const cookies = cookiesOf(c)
    sent = cookies.refreshTokens
    cookies.set({ accessToken: 'a', refreshToken: 'r' })
    return c.text('')
  })
  app.get('/clear', (c) => {
    cookiesOf(c).clear()
    return c.text('')
  })
  const lines = async (path: string) => (await app.request(path, { headers: { cookie } })).headers.getSetCookie()
  return { set: await lines('/set'), clear: await lines('/clear'), sent }
}

it.each([
  ['PUBLIC_URL is https', { PUBLIC_URL: 'https://api.games.example' }, 'HttpOnly; Secure; SameSite=Lax'],
  ['COOKIE_SAMESITE is none', { COOKIE_SAMESITE: 'none' }, 'HttpOnly; Secure; SameSite=None'],
])('session cookies are Secure when %s', async (_, env, attributes) => {
  const { set, clear } = await linesWith(env)
  for (const line of [...set, ...clear]) expect(line).toMatch(new RegExp(`; ${attributes}$`))
})

it('session cookies are set with the domain, and cleared with it and without it', async () => {
  const { set, clear } = await linesWith({ COOKIE_DOMAIN: 'games.example' })
  for (const line of set) expect(line).toContain('; Domain=games.example; Path=/')
  const attributes = clear.map((line) => line.replace(/; HttpOnly.*/, ''))
  expect(attributes.sort()).toEqual([
    'accessSessionToken=; Max-Age=0; Domain=games.example; Path=/',
    'accessSessionToken=; Max-Age=0; Path=/',
    'refreshSessionToken=; Max-Age=0; Domain=games.example; Path=/auth',
    'refreshSessionToken=; Max-Age=0; Path=/auth',
  ])
})

it('refresh tokens are read in their order, eight at most, without malformed ones', async () => {
  const tokens = Array.from({ length: 9 }, () => createRefreshToken(createFamilyId()))
  const cookie = tokens.map((token) => `refreshSessionToken=garbage; refreshSessionToken=${token}`).join('; ')
  expect((await linesWith({}, `a=b; ${cookie}`)).sent).toEqual(tokens.slice(0, 8))
})
