import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#lib/base/config'
import { useConsole } from '../../support/browser/use-console.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { startNginx } from '../../support/processes/start-nginx.ts'
import { insertGame } from '../../support/rows/rows.ts'
import { startService } from '../../support/service/start-service.ts'
import { createSiteKey, startSite } from '../../support/stand-ins/site.ts'

const production = await readFile(join(import.meta.dirname, '../../../lib/ops/production.md'), 'utf8')
const [, section = ''] = /^## Beside a site\n(.*?)^## /ms.exec(production) ?? []
const examples = Array.from(section.matchAll(/^```ini\n(.*?)^```$/gms), ([, text = '']) => text)
const openConsole = useConsole()
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const HTTPS = /https:\/\/([a-z]+\.)?example\.com/g

/** Starts an example behind its proxy, after replacing its addresses by addresses of this machine. */
async function startExample(index: number) {
  const text = examples[index] ?? ''
  const isBeside = text.includes('https://api.example.com')
  const { SESSION_COOKIE: cookie = 'accessSessionToken', ...stated } = parseEnv(text)
  const key = createSiteKey('first', 'ES256')
  const site = await startSite({
    cookie,
    issuer: 'http://127.0.0.1:9',
    secret: stated.JWT_SECRET,
    attributes: isBeside ? 'Path=/; HttpOnly' : 'Path=/; HttpOnly; Domain=example.localhost',
    ...(text.includes('SESSION_JWKS_URL') && { key }),
  })
  const port = await freePort()
  const proxy = await startNginx(isBeside ? 'beside-site' : 'alone', {
    gamehall: [port],
    site: Number(new URL(site.url).port),
    ofSite: ['accounts', 'sockets'],
  })
  const addresses: Record<string, string> = {
    'https://live.example.com': proxy.baseUrl.replace('127.0.0.1', 'live.example.localhost'),
    'https://api.example.com': proxy.baseUrl.replace('127.0.0.1', 'api.example.localhost'),
    'https://example.com': site.url.replace('127.0.0.1', 'example.localhost'),
    // Node does not resolve names below `localhost`, as browsers do.
    'https://accounts.example.com': site.url,
  }
  const env = parseEnv(
    text
      .replace(HTTPS, (address) => addresses[address] ?? address)
      .replace(/^SESSION_ISSUER=.*$/m, 'SESSION_ISSUER=http://127.0.0.1:9'),
  )
  const service = await startService({ env: { ...env, PORT: String(port) } })
  ends.push(site.close, service.close, proxy.close)
  return { site, service, publicUrl: env.PUBLIC_URL ?? '' }
}

test('production.md has three examples, each complete', () => {
  expect(examples.length).toBe(3)
  for (const text of examples)
    expect(() => readConfig({ NODE_ENV: 'production', MONGODB_URI: 'mongodb://db', ...parseEnv(text) })).not.toThrow()
})

test.each([0, 1, 2])('a browser that signs in at the site is signed in here and writes: example %i', async (index) => {
  const { site, service, publicUrl } = await startExample(index)
  site.addUser({ sub: 'ann', name: 'Ann' })
  const { page, context } = await openConsole({ baseUrl: publicUrl }, { address: '#/royal' })

  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign in as ann' }).click()
  await page.waitForURL(`${publicUrl}/console#/royal`)
  await page.getByRole('button', { name: 'Ann' }).click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Account', 'Presets'])
  await page.keyboard.press('Escape')
  await page.getByText('No royal games yet.').waitFor()
  expect(await service.db.users.find({}, { projection: { _id: 0, externalId: 1, userName: 1 } }).toArray()).toEqual([
    { externalId: 'ann', userName: 'Ann' },
  ])

  const gameId = await insertGame(service.db, { name: 'Lantern Keep' })
  await page.goto(`${publicUrl}/console#/games/${gameId.toHexString()}`)
  await page.getByRole('textbox', { name: 'Write a comment' }).fill('From the site')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('article').filter({ hasText: 'From the site' }).waitFor()
  expect(await service.db.comments.countDocuments({ gameId })).toBe(1)

  // When another tab signs in as another user, this tab changes its user on focus.
  const other = await context.newPage()
  site.addUser({ sub: 'bea', name: 'Bea' })
  await other.goto(
    `${publicUrl.includes('api.') ? publicUrl : site.url.replace('127.0.0.1', 'example.localhost')}/sign-in?as=bea`,
  )
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await page.getByRole('button', { name: 'Bea' }).waitFor()
})
