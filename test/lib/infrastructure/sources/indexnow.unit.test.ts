import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#lib/base/config'
import { createIndexNow } from '#lib/infrastructure/sources/indexnow'
import { captureLog } from '../../../support/service/capture-log.ts'
import { type IndexNowStandIn, startIndexNowStandIn } from '../../../support/stand-ins/indexnow.ts'

const WAIT = 20_000

const KEY = '0f3c9a71b2d84e56'
const FAST = { laterMs: { throttled: 1, failed: 1 }, limits: { requests: 1_000, withinMs: 1, open: 1 }, retryMs: 1 }
const SITE = 'https://games.example'

let engine: IndexNowStandIn

beforeEach(async () => {
  engine = await startIndexNowStandIn({ readKeyFile: async () => KEY })
})
afterEach(() => engine.close())

function make(options: Partial<Parameters<typeof createIndexNow>[0]> = {}, env: Record<string, string> = {}) {
  const { log, lines } = captureLog()
  const config = readConfig({ INDEXNOW_URL: `${engine.url}/indexnow`, INDEXNOW_KEY: KEY, FRONT_URL: SITE, ...env })
  return { lines, ...createIndexNow({ config, log, ...FAST, ...options }) }
}

/** Waits until another message is sent, which takes as long as a repeated one would. */
async function passOneMessage(): Promise<void> {
  await make().submit(`${SITE}/last`)
}

const urlsOf = () => engine.announced.map(({ urlList }) => urlList)

test('a page of the site is announced in one message', async () => {
  const { submit, lines } = make()

  await submit(`${SITE}/games/a`)

  expect(engine.announced).toEqual([
    {
      host: 'games.example',
      key: KEY,
      keyLocation: `${SITE}/${KEY}.txt`,
      urlList: [`${SITE}/games/a`],
    },
  ])
  expect(engine.requests).toMatchObject([
    { method: 'POST', path: '/indexnow', headers: { 'content-type': 'application/json; charset=utf-8' } },
  ])
  expect(lines).toEqual([])
})

test('the host is written in its ASCII form', async () => {
  await make({}, { FRONT_URL: 'https://spiele.köln.example' }).submit('https://spiele.köln.example/games/ä')

  expect(engine.announced).toMatchObject([
    { host: 'spiele.xn--kln-sna.example', urlList: ['https://spiele.xn--kln-sna.example/games/%C3%A4'] },
  ])
})

test.each([
  ['without a key', { INDEXNOW_KEY: '' }],
  ['while the site is on this machine', { FRONT_URL: 'http://localhost:3000' }],
  ['while the site is at a loopback address', { FRONT_URL: 'http://127.0.0.1:3000' }],
])('nothing is sent %s', async (_, env) => {
  const { submit } = make({}, env)

  await submit(`${SITE}/games/a`)

  expect(engine.requests).toEqual([])
})

test.each([
  [400, 'the form of the message'],
  [403, 'the key'],
  [422, 'an address or the key'],
])('a message is not sent again after %i, which is logged', async (status, what) => {
  engine.fail(status, 1)
  const { submit, lines } = make()

  await submit(`${SITE}/games/a`)
  await passOneMessage()

  expect(lines).toMatchObject([{ level: 'error', status, msg: `IndexNow refused ${what}` }])
  expect(engine.requests).toHaveLength(2)
})

test.each([429, 500, 503, 'half'] as const)('a message is sent again after %s, until it is accepted', async (mode) => {
  engine.fail(mode, 3)
  const { submit, lines } = make()

  await submit(`${SITE}/games/a`)

  await vi.waitFor(() => expect(urlsOf()).toEqual([[`${SITE}/games/a`]]), WAIT)
  expect(engine.requests).toHaveLength(4)
  expect(lines).toEqual([])
})

test('a message is sent again three times at most, then it is logged', async () => {
  engine.fail(500)
  const { submit, lines } = make()

  await submit(`${SITE}/games/a`)

  await vi.waitFor(() => expect(lines).toMatchObject([{ level: 'warn', msg: 'IndexNow could not be notified' }]), WAIT)
  expect(engine.requests).toHaveLength(4)
})
