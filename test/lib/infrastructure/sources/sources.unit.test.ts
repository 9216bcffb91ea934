import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#lib/base/config'
import { createLogger } from '#lib/infrastructure/observability/log'
import { createSources } from '#lib/infrastructure/sources/sources'
import { EntryError } from '#lib/infrastructure/sources/transport/errors'
import { createFastSources } from '../../../support/stand-ins/fast-sources.ts'
import { HLTB_FAILURES, hltbPage, startHltbStandIn } from '../../../support/stand-ins/hltb.ts'
import { startRaStandIn } from '../../../support/stand-ins/retroachievements.ts'
import { createSkippingTiming } from '../../../support/stand-ins/skipping-timing.ts'
import type { StandInAnswer, StandInServer } from '../../../support/stand-ins/stand-in-server.ts'
import { startVndbStandIn } from '../../../support/stand-ins/vndb.ts'

const SECRETS = { VNDB_TOKEN: 'token-nobody-may-read', RA_API_KEY: 'key-nobody-may-read' }
const log = createLogger('silent')
const NAMES = ['vndb', 'hltb', 'ra'] as const
const ID = { vndb: 'v1', hltb: '1', ra: '1' }

const hltbData = (game: object) => ({ props: { pageProps: { game: { data: { game: [game] } } } } })

const sources = () => createFastSources(env, { retryMs: 1 })

const vndb = await startVndbStandIn({ token: SECRETS.VNDB_TOKEN })
const hltb = await startHltbStandIn()
const ra = await startRaStandIn({ key: SECRETS.RA_API_KEY })
vndb.put({ id: 'v1', title: 'One' })
hltb.put({ game_id: 1, game_name: 'One' })
ra.put({ ID: 1, Title: 'One' })
const env: Record<string, string> = { ...vndb.env, ...hltb.env, ...ra.env }
const servers: Record<(typeof NAMES)[number], StandInServer> = { vndb, hltb, ra }
beforeEach(() => {
  for (const server of Object.values(servers)) server.reset()
})
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())))

const NO_IDS = {
  vndb: ['17', 'v0', 'v01', 'V17', 'v-1', 'v1.5', 'c5', '', 'v17"]', 'v12345678', ' v17'],
  hltb: ['v42', '0', '042', '', '42/../1', '4 2', '12345678901'],
  ra: ['v1', '0', '01', '', '1&y=x', '99999999999'],
}

describe.each(NAMES)('%s', (name) => {
  it('an id of another form has no entry, and is never requested', async () => {
    const reader = sources()[name]
    const found = await reader.readMany(NO_IDS[name])
    expect([...found.keys()]).toEqual(NO_IDS[name])
    for (const entry of found.values()) expect(entry).toMatchObject({ source: name, failure: 'not-found' })
    await expect(reader.read('x')).rejects.toMatchObject({ failure: 'not-found' })
    expect(servers[name].requests).toEqual([])
  })

  it('a call ends with the reason of its caller', async () => {
    const release = servers[name].hold()
    const giveUp = new AbortController()
    const reading = sources()[name].readMany([ID[name]], { signal: giveUp.signal })
    await expect.poll(() => servers[name].requests.length).toBe(1)
    giveUp.abort(new Error('the caller went'))

    await expect(reading).rejects.toThrow('the caller went')
    release()
  })

  it('five failures in a row open the circuit of this source alone', async () => {
    const all = sources()
    servers[name].fail(401)
    for (let failures = 0; failures < 5; failures += 1) {
      expect(all[name].openForMs()).toBe(0)
      await expect(all[name].read(ID[name])).rejects.toMatchObject({ failure: 'refused' })
    }

    servers[name].reset()
    await expect(all[name].read(ID[name])).rejects.toMatchObject({ failure: 'circuit-open' })
    await expect(all[name].readMany([ID[name]])).rejects.toMatchObject({ failure: 'circuit-open' })
    expect(servers[name].requests).toEqual([])
    expect(all[name].openForMs()).toBeGreaterThan(0)
    expect(NAMES.filter((other) => all[other].openForMs() > 0)).toEqual([name])
  })
})

it.each<[name: 'hltb' | 'ra', what: string, failure: 'not-found' | 'malformed', answer: StandInAnswer]>([
  ['hltb', 'a game that is gone', 'not-found', HLTB_FAILURES.missing],
  ['hltb', 'a page that moved', 'not-found', { status: 301, headers: { location: '/game/7' } }],
  ['hltb', 'a page without a game', 'not-found', hltbPage({ props: { pageProps: { game: { data: { game: [] } } } } })],
  ['hltb', 'a page of other data', 'malformed', hltbPage({ props: { pageProps: { game: null } } })],
  ['hltb', 'a page of another game', 'malformed', hltbPage(hltbData({ game_id: 7, game_name: 'Seven' }))],
  ['hltb', 'a game without a name', 'malformed', hltbPage(hltbData({ game_id: 1 }))],
  ['ra', 'a game that is gone', 'not-found', { status: 404, body: { message: 'Not found' } }],
  ['ra', 'a number without a game', 'not-found', { status: 422, body: { message: 'x', errors: { i: ['x'] } } }],
  ['ra', 'an empty list', 'not-found', { body: [] }],
  ['ra', 'nothing where a game was', 'not-found', { body: { ID: null, Title: null } }],
  ['ra', 'another game', 'malformed', { body: { ID: 7, Title: 'Seven', ConsoleID: 1 } }],
  ['ra', 'a game without a title', 'malformed', { body: { ID: 1, ConsoleID: 1 } }],
  ['ra', 'a number that is none', 'malformed', { body: { ID: 1, Title: 'One', ConsoleID: '7x' } }],
  ['ra', 'a number that is empty', 'malformed', { body: { ID: 1, Title: 'One', ConsoleID: '' } }],
])('the circuit of %s stays closed after any number of answers with %s', async (name, _, failure, answer) => {
  const reader = sources()[name]
  servers[name].fail(answer, 7)
  for (let count = 0; count < 6; count += 1)
    await expect(reader.read('1')).rejects.toMatchObject({ name: 'SourceError', source: name, failure })
  expect((await reader.readMany(['1'])).get('1')).toBeInstanceOf(EntryError)

  expect(reader.openForMs()).toBe(0)
  expect(await reader.read('1')).toMatchObject({ game: { name: 'One' } })
})

it('a source that is switched off refuses each call and sends nothing', async () => {
  const { hltb, ra, igdb } = createSources({ config: readConfig({}), log })

  for (const reader of [hltb, ra, igdb]) {
    expect(reader.isOn).toBe(false)
    expect(reader.openForMs()).toBe(0)
    const off = { source: reader.name, failure: 'off', message: 'the source is switched off' }
    await expect(reader.read('1')).rejects.toMatchObject(off)
    await expect(reader.readMany(['1'])).rejects.toMatchObject(off)
  }
})

const config = () => ({ config: readConfig(env), log })

it.each([
  ['vndb', 200, 5 * 60_000, 205],
  ['hltb', 1, 2_000, 6],
  ['ra', 1, 1_000, 6],
] as const)('%s gets at most %i requests within %i ms', async (name, most, withinMs, calls) => {
  const timing = createSkippingTiming()
  const reader = createSources({ ...config(), timing })[name]
  const starts: number[] = []
  for (let call = 0; call < calls; call += 1) {
    await reader.read(ID[name])
    starts.push(timing.now())
  }

  expect(servers[name].requests).toHaveLength(calls)
  for (const [index, start] of starts.entries()) {
    expect(starts.slice(index).filter((other) => other < start + withinMs).length).toBeLessThanOrEqual(most)
  }
})

it('vndb gets 0.6 requests a second on average, and a few at once', async () => {
  const timing = createSkippingTiming()
  const { vndb } = createSources({ ...config(), timing })
  const startedAt = timing.now()
  for (let call = 0; call < 6; call += 1) await vndb.read('v1')
  const burstMs = timing.now() - startedAt
  for (let call = 6; call < 36; call += 1) await vndb.read('v1')

  expect(burstMs).toBe(0)
  expect(timing.now() - startedAt).toBeGreaterThanOrEqual(30_000 / 0.6)
})
