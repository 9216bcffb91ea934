import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#lib/base/config'
import { createIgdb } from '#lib/infrastructure/sources/igdb/igdb'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import { entryOf } from '../../../../support/rows/entries.ts'
import { captureLog } from '../../../../support/service/capture-log.ts'
import { type IgdbStandIn, startIgdbStandIn } from '../../../../support/stand-ins/igdb.ts'
import { createManualTiming } from '../../../../support/stand-ins/manual-timing.ts'
import { errorOf } from '../../../../support/tools/errors.ts'
import { KEEPERS, LANTERN_KEEP, RATINGS, RELATED } from './lantern-keep.ts'

const WAIT = 20_000

const FAST = { limits: { requests: 1_000, withinMs: 1, open: 8 }, retryMs: 1 }

let source: IgdbStandIn

const igdb = (options: Partial<Parameters<typeof createIgdb>[0]> = {}, env: Record<string, string> = {}) =>
  createIgdb({ ...FAST, config: readConfig({ ...source.env, ...env }), ...options })

const isGames = ({ path }: { path: string }) => path === '/v4/games'
const GAME_FACTS = Object.keys(LANTERN_KEEP).filter((field) => !['id', 'name'].includes(field))
const isApi = ({ path }: { path: string }) => path.startsWith('/v4/')

beforeEach(async () => {
  source = await startIgdbStandIn({
    games: [LANTERN_KEEP, { id: 9002, name: 'North Pier' }],
    characters: KEEPERS,
    perWindow: Number.POSITIVE_INFINITY,
  })
})
afterEach(() => source.close())

test('an entry has everything that the source has of it', async () => {
  const images = `${source.url}/images/t_1080p`

  expect(await igdb().read('9001')).toStrictEqual({
    source: 'igdb',
    id: '9001',
    part: {
      gameId: 9001,
      url: 'https://www.igdb.example/games/lantern-keep',
      ...RATINGS,
      updatedAt: new Date(1_700_000_000_000),
    },
    game: {
      name: 'Lantern Keep',
      fields: {
        alternative_names: ['灯台守', 'LK', 'Laternenfeste'],
        type: 'Remake',
        status: 'Early Access',
        versionTitle: 'Gold Edition',
        summary: 'Keep the lanterns lit.',
        storyline: 'Night falls.',
        first_release: 1_488_499_200,
        genres: ['Adventure', 'Puzzle'],
        modes: ['Single player', 'Co-operative'],
        themes: ['Fantasy'],
        keywords: ['lanterns', 'night'],
        franchises: ['Lantern', 'Keepers'],
        game_engines: ['Unity'],
        player_perspectives: ['Third person'],
        languages: ['English', 'Japanese'],
        companies: [
          { name: 'North Pier', developer: true, porting: true },
          { name: 'Harbour', publisher: true, supporting: true },
        ],
        ageRatings: [
          { organization: 'PEGI', rating: '12', synopsis: 'Mild peril' },
          { organization: 'ESRB', rating: 'T' },
        ],
        websites: ['https://store.example/app/1'],
        videos: ['https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
        externalPages: [{ uid: '42', name: 'Steam', url: 'https://store.example/app/42' }, { uid: 'lk' }],
      },
      platforms: [6, 130],
      releases: [
        { date: 1_488_499_200, human: '2017-03-03', month: 3, year: 2017, platform: 6, region: 5 },
        { date: 1_546_214_400, human: '2018-12-31', month: 12, year: 2018, platform: 130, region: 8 },
        { date: 1_546_300_800, human: '2019-01-01', month: 1, year: 2019, platform: 130, region: 8 },
      ],
      multiplayerModes: [
        {
          flags: {
            campaignCoop: true,
            dropIn: false,
            lanCoop: false,
            offlineCoop: true,
            onlineCoop: false,
            splitscreen: true,
            splitscreenOnline: false,
            offlineCoopMax: 2,
            offlineMax: 4,
          },
          platform: 130,
        },
        { flags: { onlineCoop: true, onlineCoopMax: 3, onlineMax: 8 } },
      ],
      related: RELATED,
      images: {
        cover: `${images}/co1abc.jpg`,
        screenshots: [`${images}/sc1.jpg`, `${images}/sc2.jpg`],
        artworks: [`${images}/ar1.jpg`],
      },
    },
    characters: [
      {
        name: 'Mira',
        akas: ['The Keeper'],
        gender: 'Female',
        species: 'Human',
        countryName: 'Norway',
        description: 'Keeps the lanterns.',
        mugShot: `${images}/ch1.jpg`,
        games: [9002],
      },
    ],
    subject: {
      name: 'Lantern Keep',
      originalName: '灯台守',
      alternativeNames: ['灯台守', 'LK', 'Laternenfeste'],
      description: 'Keep the lanterns lit.',
      released: '2017-03-03',
      developers: ['North Pier'],
      lengthMinutes: null,
      cover: `${images}/co1abc.jpg`,
      isExplicitCover: false,
      url: 'https://www.igdb.example/games/lantern-keep',
    },
  })
})

test('an entry with few facts has no empty field', async () => {
  expect(await igdb().read('9002')).toStrictEqual({
    ...entryOf('igdb', '9002', { gameId: 9002 }, { name: 'North Pier' }),
    characters: [expect.objectContaining({ name: 'Mira' }), { name: 'Moth' }],
  })
})

test.each([
  [0, '2018-12-31'],
  [1, '2018-12'],
  [2, '2018'],
  [6, '2018'],
])('an entry has its release as precisely as format %i', async (id, released) => {
  const date = Date.UTC(2018, 11, 31) / 1_000
  const release = { id: 1, date, platform: 6, date_format: { id, format: 'text' } }
  source.games.push({ id: 7, name: 'Late', first_release_date: date, release_dates: [release] })

  expect((await igdb().read('7')).subject.released).toBe(released)
})

test.each(GAME_FACTS)('an entry loses %s alone when that is of another form', async (field) => {
  const read = async (value: unknown) => {
    source.fail({ body: [{ ...LANTERN_KEEP, [field]: value }] }, 1, isGames)
    return igdb().read('9001')
  }

  expect(await read({})).toStrictEqual(await read(null))
})

test('an entry has the valid parts of odd lists and rows, its numbers and ids as text or numbers', async () => {
  const company = { id: 1, name: 'Tom &amp; Jerry' }
  const row = {
    id: '7',
    name: 'Pok&eacute;mon',
    rating: '81.5',
    genres: [null, { id: 1, name: 'Puzzle' }, { id: 2, name: 7 }, 'Arcade'],
    involved_companies: [{ company, developer: true, publisher: 'yes' }, 'x'],
    platforms: ['6', null, {}, { name: 'PC' }, 130],
    external_games: [{ id: 1, uid: 42 }],
    cover: { id: 1, image_id: '../../etc' },
    screenshots: [{ image_id: 'sc-1' }, { image_id: 'a/b' }],
    websites: [{ url: 7 }, { url: 'https://a.example/?a=1&copy=2' }],
    release_dates: [
      { date: 'soon', platform: 6 },
      { date: '1488499200', platform: 6, release_region: 'x' },
    ],
  }
  source.fail({ body: [row] }, 1, isGames)
  source.fail({ body: [{ name: 'Mira', akas: [null, 'M'], description: 7, games: ['7', null] }] }, 1, isApi)
  const { part, game, characters } = await igdb().read('7')

  expect(part).toStrictEqual({ gameId: 7, rating: 81.5 })
  expect(game).toMatchObject({
    name: 'Pokémon',
    fields: {
      genres: ['Puzzle'],
      companies: [{ name: 'Tom & Jerry', developer: true }],
      websites: ['https://a.example/?a=1&copy=2'],
      externalPages: [{ uid: '42' }],
    },
    platforms: [6, 130],
    releases: [{ date: 1_488_499_200, platform: 6, region: 8 }],
  })
  expect(game.images).toEqual({ screenshots: [`${source.url}/images/t_1080p/sc-1.jpg`] })
  expect(characters).toEqual([{ name: 'Mira', akas: ['M'] }])
})

test('an entry of a version belongs to its game, and an unknown kind is left out', async () => {
  source.games.push({ id: 7, name: 'Gold', version_parent: 9001, game_type: { id: 99, type: 'Hologram' } })

  const { game } = await igdb().read('7')

  expect(game.related).toEqual({ parent_game: 9001 })
  expect(game.fields).toEqual({})
})

test('an entry has all its characters, over several pages', async () => {
  source.characters.push(...Array.from({ length: 700 }, (_, id) => ({ id: id + 10, name: `C${id}`, games: [9001] })))

  const { characters } = await igdb().read('9001')

  expect(characters).toHaveLength(701)
  expect(new Set(characters.map(({ name }) => name)).size).toBe(701)
  expect(source.queries('characters')).toHaveLength(2)
})

test.each([400, 403, 404])(
  'the game is read without characters where their query is refused with %i, which is logged',
  async (status) => {
    const { log, lines } = captureLog()
    source.fail(status, Number.POSITIVE_INFINITY, ({ path }) => path === '/v4/characters')

    expect(await igdb({ log }).read('9001')).toMatchObject({ game: { name: 'Lantern Keep' }, characters: [] })
    expect(lines).toMatchObject([{ level: 'warn', endpoint: 'characters', status }])
  },
)

test('the game is not read while its characters cannot be', async () => {
  source.fail(500, Number.POSITIVE_INFINITY, ({ path }) => path === '/v4/characters')

  expect(await errorOf(igdb().read('9001'))).toMatchObject({ failure: 'http-error' })
})

test('50 entries are read in one request, and their characters in another', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => String(index + 1))
  source.games.push(...ids.map((id) => ({ id: Number(id), name: `Game ${id}` })))

  const entries = await igdb().readMany(ids)

  expect([...entries.keys()]).toEqual(ids)
  expect([...entries.values()].filter((entry) => entry instanceof SourceError)).toEqual([])
  expect(source.queries('games')).toHaveLength(1)
  expect(source.queries('characters')).toHaveLength(1)
})

test('a missing or malformed entry does not affect the others', async () => {
  source.games.push({ id: 9003, name: 7 })

  const entries = await igdb().readMany(['9001', '9003', '9004', '9001; drop', '9002'])

  expect(entries.get('9001')).toMatchObject({ game: { name: 'Lantern Keep' } })
  expect(entries.get('9002')).toMatchObject({ game: { name: 'North Pier' } })
  expect(entries.get('9003')).toMatchObject({ failure: 'malformed', message: 'the answer has an unexpected form' })
  for (const id of ['9004', '9001; drop']) expect(entries.get(id)).toMatchObject({ failure: 'not-found' })
  expect(source.queries('games')[0]).toContain('where id = (9001,9003,9004,9002);')
})

test('the token is fetched once for all, with the secret in the body alone', async () => {
  const reader = igdb()
  await Promise.all(['9001', '9002', '9001'].map((id) => reader.read(id)))

  expect(source.tokens()).toBe(1)
  const [request] = source.requests
  expect(request).toMatchObject({ method: 'POST', path: '/oauth2/token' })
  expect([...(request?.query.keys() ?? [])]).toEqual([])
})

test('the token that is refused is renewed once, however many requests it refuses', async () => {
  const reader = igdb()
  await reader.read('9001')
  source.expireTokens()
  const release = source.hold()
  const works = Array.from({ length: 8 }, () => reader.read('9001'))
  await vi.waitFor(() => expect(source.open()).toBe(8), WAIT)
  release()

  expect(await Promise.all(works)).toHaveLength(8)
  expect(source.tokens()).toBe(2)
})

test('the token that is refused is sent once while no other is given, and the circuit opens', async () => {
  const reader = igdb()
  await reader.read('9001')
  source.expireTokens()
  source.fail(403, Number.POSITIVE_INFINITY, ({ path }) => path === '/oauth2/token')

  for (let count = 0; count < 5; count += 1)
    expect(await errorOf(reader.read('9001'))).toMatchObject({ failure: 'refused' })
  expect(reader.openForMs()).toBeGreaterThan(0)
  expect(await errorOf(reader.read('9001'))).toMatchObject({ failure: 'circuit-open' })
  expect(source.queries('games')).toHaveLength(2)
})

test('the token that is refused although it is new counts as a failure, and five open the circuit', async () => {
  const reader = igdb()
  source.fail(401, Number.POSITIVE_INFINITY, isApi)

  for (let count = 0; count < 5; count += 1) {
    expect(reader.openForMs()).toBe(0)
    expect(await errorOf(reader.read('9001'))).toMatchObject({ failure: 'refused' })
  }
  const sent = source.requests.length
  expect(await errorOf(reader.read('9001'))).toMatchObject({ failure: 'circuit-open' })
  expect(source.requests).toHaveLength(sent)
})

test.each([
  [5_184_000, 5_184_000 - 86_400],
  [3_600, 3_240],
])('the token of %i s is renewed after %i s', async (tokenSeconds, keptSeconds) => {
  await source.close()
  source = await startIgdbStandIn({ games: [LANTERN_KEEP], tokenSeconds, perWindow: 100 })
  const timing = createManualTiming()
  const reader = igdb({ timing })

  await reader.read('9001')
  await timing.advance(keptSeconds * 1_000 - 1)
  await reader.read('9001')
  expect(source.tokens()).toBe(1)

  await timing.advance(1)
  await reader.read('9001')
  expect(source.tokens()).toBe(2)
})

test.each([{ IGDB_CLIENT_ID: 'nobody' }, { IGDB_CLIENT_SECRET: 'guessed' }])(
  'the token is refused to %j',
  async (env) => {
    const error = await errorOf(igdb({}, env).read('9001'))

    expect(error).toMatchObject({ source: 'igdb', failure: 'refused' })
    expect(source.requests).toHaveLength(1)
    expect(inspect(error, { depth: 9 })).not.toMatch(/nobody|guessed|stand-in-secret/)
  },
)

test('4 requests a second and 8 open are kept by default, and nothing is refused', async () => {
  await source.close()
  source = await startIgdbStandIn({ games: [LANTERN_KEEP] })
  const reader = createIgdb({ config: readConfig(source.env) })

  await Promise.all(Array.from({ length: 3 }, () => reader.read('9001')))

  // Games and characters of three, and the token: one more request than that would be a retry after a 429.
  expect(source.requests).toHaveLength(7)
  expect(source.mostInWindow()).toBeLessThanOrEqual(4)
  expect(source.mostOpen()).toBeLessThanOrEqual(8)
})
