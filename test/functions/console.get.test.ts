import { expect, test } from 'vitest'
import { insertUser } from '../support/rows/rows.ts'
import { useShakyService } from '../support/service/shaky-service.ts'
import { type TestService, useService } from '../support/service/start-service.ts'

const service = await useService()

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types gamehall"

test('200: the page is requested again each time', async () => {
  const { status, headers, body } = await service.guest.get('/console')

  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(body).toContain('<script type="module" src="console/main.')
  expect(body).not.toMatch(/<script(?![^>]*src=)|<style|style="| on\w+="/)
})

test('200: the page of an https address allows images over https only', async () => {
  const policyOf = async (page: TestService) =>
    (await page.guest.get('/console')).headers.get('content-security-policy')
  const secure = await useService({ env: { PUBLIC_URL: 'https://play.example' } })
  expect(await policyOf(secure)).toBe(POLICY)
  expect(await policyOf(service)).toBe(POLICY.replace('https: data:', 'https: http: data:'))
})

test('200: the page says whether somebody is signed in, and not who', async () => {
  const user = await service.caller({ userName: 'somebody' })
  expect((await service.guest.get('/console')).body).toContain('&quot;isSignedIn&quot;:false')
  const { body } = await user.get('/console')
  expect(body).toContain('&quot;isSignedIn&quot;:true')
  expect(body).not.toContain('somebody')
})

test('200: the page opens while the database cannot be reached, for a reader with a session and for a guest', async () => {
  const shaky = await useShakyService()
  const user = await shaky.caller()
  shaky.database.cut()
  // Demo users, which a request from this machine reads, are in the database.
  const headers = { 'x-forwarded-for': '203.0.113.7' }

  for (const [caller, isSignedIn] of [
    [user, true],
    [shaky.guest, false],
  ] as const) {
    const { status, body } = await caller.get('/console', { headers })
    expect(status).toBe(200)
    expect(body).toContain(`&quot;isSignedIn&quot;:${isSignedIn}`)
  }
})

test('200: the page offers no changed demo user, and none through a proxy', async () => {
  await insertUser(service.deps, { userName: 'alice' })
  for (const headers of [{}, { 'x-forwarded-for': '203.0.113.7' }]) {
    const { body } = await service.guest.get('/console', { headers })
    expect(body).toContain('&quot;demoUsers&quot;:[]')
  }
})

test('200: every file of the page is immutable', async () => {
  const { body: page } = await service.guest.get('/console')
  const named = Array.from(page.matchAll(/(?:href|src)="(console\/[^"]+)"/g), ([, file]) => `/${file}`)
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter((file) => file.includes('/main.'))).toHaveLength(2)

  for (const file of named) {
    const { status, headers, body } = await service.guest.get(file)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/)
    expect(body.length).toBeGreaterThan(10)
  }
})

test('200 as brotli or gzip where the browser accepts them', async () => {
  const { body: page } = await service.guest.get('/console')
  const [, script = ''] = /src="(console\/main\.[^"]+)"/.exec(page) ?? []
  const read = async (acceptEncoding: string) => {
    const answer = await fetch(`${service.baseUrl}/${script}`, { headers: { 'accept-encoding': acceptEncoding } })
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i)
    // `fetch` has decoded the text.
    return { encoding: answer.headers.get('content-encoding'), text: await answer.text() }
  }
  const whole = await read('identity')
  expect(whole.encoding).toBeNull()
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
  ] as const)
    expect(await read(accepted)).toEqual({ encoding, text: whole.text })
})
