import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { readConfig } from '#lib/base/config'
import { createRetroAchievements } from '#lib/infrastructure/sources/retroachievements/retroachievements'
import { listenLocally } from '../../../../support/processes/listen-locally.ts'
import { entryOf } from '../../../../support/rows/entries.ts'
import { startRaStandIn } from '../../../../support/stand-ins/retroachievements.ts'
import { errorOf } from '../../../../support/tools/errors.ts'

const KEY = 'a-key-that-nobody-may-read'
const FAST = { limits: { requests: 1_000, withinMs: 1, open: 1 }, retryMs: 1 }

const achievements = (env: Record<string, string> = {}) =>
  createRetroAchievements({ config: readConfig({ ...source.env, ...env }), ...FAST })

const source = await startRaStandIn({ key: KEY })
beforeEach(() => source.reset())
afterAll(() => source.close())

it('a game is read with its images', async () => {
  source.put({
    ID: 1446,
    Title: 'Lantern Keep',
    ConsoleID: 7,
    ConsoleName: 'NES/Famicom',
    ImageIcon: '/Images/061234.png',
    ImageBoxArt: '/Images/004321.png',
    Developer: 'North Pier',
    Released: '1991-07-19',
    ReleasedAtGranularity: 'day',
    NumAchievements: 35,
  })

  const part = {
    gameId: 1446,
    consoleId: 7,
    consoleName: 'NES/Famicom',
    imageIcon: 'https://media.retroachievements.org/Images/061234.png',
    numAchievements: 35,
  }
  const { subject, ...entry } = entryOf('ra', '1446', part, { platforms: [7] })
  expect(await achievements().read('1446')).toStrictEqual({
    ...entry,
    subject: {
      ...subject,
      released: '1991-07-19',
      developers: ['North Pier'],
      cover: 'https://media.retroachievements.org/Images/004321.png',
      url: 'https://retroachievements.org/game/1446',
    },
  })
})

it.each([
  ['1991-07-19', 'day', '1991-07-19'],
  ['1991-07-15', 'week', '1991-07-15'],
  ['1991-07-01', 'month', '1991-07'],
  ['1991-01-01', 'year', '1991'],
  ['1991-07-19', null, '1991-07-19'],
  ['1991-07-19 00:00:00', 'day', '1991-07-19'],
  [null, null, null],
  ['soon', 'day', null],
])('the release %j with the precision %s is %j', async (Released, ReleasedAtGranularity, released) => {
  source.put({ ID: 2, Title: 'Dated', Released, ReleasedAtGranularity })

  expect((await achievements().read('2')).subject.released).toBe(released)
})

it('HTML entities in names are decoded', async () => {
  source.put({ ID: 4, Title: 'Pok&eacute;mon &amp; &#x43;o', ConsoleName: 'A &lt; B', Developer: 'Tom &amp; Jerry' })

  const { part, subject } = await achievements().read('4')
  expect(part).toMatchObject({ consoleName: 'A < B' })
  expect(subject).toMatchObject({ name: 'Pokémon & Co', developers: ['Tom & Jerry'] })
})

it.each([
  {},
  { ConsoleName: 3, NumAchievements: 'many', ImageIcon: [], Released: 1991 },
  { ConsoleName: null, NumAchievements: null },
])('an unknown fact is absent: %j', async (fields) => {
  source.fail({ body: { ID: 4, Title: 'Four', ConsoleID: 7, ...fields } })

  expect((await achievements().read('4')).part).toStrictEqual({ gameId: 4, consoleId: 7 })
})

it('an image path that leads to another host is ignored', async () => {
  source.put({ ID: 3, Title: 'Led away', ImageIcon: '.evil.example/x.png', ImageBoxArt: 'https://evil.example/x.png' })

  const { part, subject } = await achievements().read('3')
  expect(part).not.toHaveProperty('imageIcon')
  expect(subject.cover).toBeNull()
})

it.each([
  ['a list with something', { body: [{ ID: 4 }] }, 'malformed'],
  ['429 as a page', { status: 429, headers: { 'content-type': 'text/html' }, body: '<h1>429</h1>' }, 'rate-limited'],
])('%s is a failure of the source', async (_what, answer, failure) => {
  source.fail(answer)

  await expect(achievements().read('4')).rejects.toMatchObject({ source: 'ra', failure })
})

it('a wrong key is refused at once, although the body of the answer names another status', async () => {
  await expect(achievements({ RA_API_KEY: 'another' }).read('1')).rejects.toMatchObject({ failure: 'refused' })
  expect(source.requests).toHaveLength(1)
})

it('the key is in no error after a server sent the request back', async () => {
  const echo = createServer((socket) => {
    socket.on('error', () => undefined).on('data', (bytes) => socket.end(bytes))
  })

  const RA_API_URL = `http://127.0.0.1:${await listenLocally(echo)}`
  const error = await errorOf(achievements({ RA_API_URL }).read('1'))

  expect(error).toMatchObject({ failure: 'timeout', cause: { message: expect.stringContaining('HTTP/1.1 protocol') } })
  expect(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain(KEY)
  echo.close()
})
