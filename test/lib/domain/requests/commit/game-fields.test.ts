import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { insertGame as insertOldGame } from '../../../../support/rows/rows.ts'
import { type Payload, useGamesScene } from '../../../../support/scenes/games-scene.ts'

const DAY = 86_400

const scene = await useGamesScene()
beforeEach(() => scene.reset())

const { insertGame: insert } = scene
const hex = (id: ObjectId) => id.toHexString()

async function update(payload: Payload, facts: Partial<GameDocument> = {}): Promise<GameDocument> {
  return (await scene.approve(payload, { targetId: await insert(facts) })).game
}

const PLAIN = {
  alternative_names: ['灯台守', '$name'],
  versionTitle: 'Gold',
  type: 'Remake',
  status: 'Alpha',
  first_release: 1_000_000_000,
  summary: '$summary',
  storyline: 'Night falls.',
  genres: ['Puzzle'],
  modes: ['Co-operative'],
  themes: ['Fantasy'],
  keywords: ['lantern'],
  franchises: ['Lantern'],
  game_engines: ['Unity'],
  player_perspectives: ['Third person'],
  languages: ['Norwegian'],
  ageRatings: [
    { organization: 'PEGI', rating: '12', synopsis: 'Mild peril' },
    { organization: 'ESRB', rating: 'T' },
  ],
  websites: ['https://lantern.example/'],
  videos: ['https://video.example/1'],
  externalPages: [{ uid: '42', name: 'Steam', url: 'https://store.example/42' }, { uid: 'lk' }],
}

it('plain fields replace their stored fields only', async () => {
  const before = { genres: ['RPG', 'Strategy'], summary: 'Old', websites: ['https://old.example/'], cover: 'c' }
  const game = await update(PLAIN, before)

  expect(game).toMatchObject({ ...PLAIN, name: 'Harbour Lights', slug: 'harbour-lights', cover: 'c' })
  expect(game.alternativeKeys).toEqual(['dengtaishou', 'name'])
})

it('a name brings its keys, and never another slug', async () => {
  const game = await update({ name: 'Château Noir' }, { alternative_names: ['Burg'] })

  expect(game).toMatchObject({ name: 'Château Noir', slug: 'harbour-lights', nameKey: 'chateau noir' })
  expect(game.searchWords).toContain('burg')
})

it('lockSync stops the parsing of a game that is there', async () => {
  const targetId = await insert()

  expect((await scene.approve({ summary: 'New' }, { targetId, lockSync: true })).game.isStopParsing).toBe(true)
})

it('platforms that are all unknown change nothing', async () => {
  const stored = [new ObjectId()]
  const gone = { platformIds: [hex(new ObjectId())], release_dates: [{ date: 0, platformId: hex(new ObjectId()) }] }
  const game = await update({ ...gone, summary: 'New' }, { platformIds: stored })

  expect(game).toMatchObject({ platformIds: stored, summary: 'New' })
  expect(game).not.toHaveProperty('release_dates')
})

it('platforms, release dates and multiplayer modes keep known platforms, and a release date gets its day and a region', async () => {
  const [pc, ps] = [await scene.insertPlatform({}), await scene.insertPlatform({})]
  const [known, unknown] = [hex(pc), hex(new ObjectId())]
  const proposed = {
    platformIds: [known, unknown, hex(ps), known],
    release_dates: [
      { date: Date.UTC(2017, 11, 31) / 1_000 + DAY - 1, platformId: known },
      { date: -1, platformId: known, region: 5 },
      { date: 0, platformId: unknown },
    ],
    multiplayer_modes: [
      { onlineCoop: true, onlineMax: 0, platformId: known },
      { dropIn: false, platformId: unknown },
      { lanCoop: true },
    ],
  }
  const game = await update(proposed, { platformIds: [new ObjectId()] })

  expect(game.platformIds).toEqual([pc, ps])
  expect(game.release_dates).toEqual([
    { date: 1_514_764_799, human: '2017-12-31', month: 12, year: 2017, platformId: pc, region: 8 },
    { date: -1, human: '1969-12-31', month: 12, year: 1969, platformId: pc, region: 5 },
  ])
  expect(game.multiplayer_modes).toEqual([{ onlineCoop: true, onlineMax: 0, platformId: pc }, { lanCoop: true }])
})

const PIER = { name: 'North Pier', key: 'north pier', porting: true }
const HARBOUR = { name: 'Harbour', key: 'harbour' }
const BOTH = { developer: 'North Quay', publisher: 'North Quay' }
const QUAY = { name: 'North Quay', key: 'north quay', developer: true, publisher: true }

it.each([
  [
    'companies replace the stored ones',
    { companies: [{ name: 'Harbour', porting: false }] },
    [{ ...HARBOUR, porting: false }],
  ],
  [
    'a developer of the same normalised name gets the flag',
    { developer: 'NORTH  PIER!' },
    [{ ...PIER, developer: true }],
  ],
  [
    'a publisher of the same normalised name gets the flag',
    { publisher: 'north pier' },
    [{ ...PIER, publisher: true }],
  ],
  ['a developer that is not there is added', { developer: 'Harbour' }, [PIER, { ...HARBOUR, developer: true }]],
  ['a publisher that is not there is added', { publisher: 'Harbour' }, [PIER, { ...HARBOUR, publisher: true }]],
  ['a developer and publisher of one name are one company', BOTH, [PIER, QUAY]],
  [
    'a developer and publisher come beside picked companies',
    { ...BOTH, companies: [{ name: 'Harbour' }] },
    [HARBOUR, QUAY],
  ],
])('%s', async (_, payload, companies) => {
  expect((await update(payload, { companies: [{ name: 'North Pier', porting: true }] })).companies).toEqual(companies)
})

it('relations are merged into the stored ones, each game once, and never itself', async () => {
  const [one, two, three] = [await insert(), await insert(), await insert()]
  const targetId = await insert({ relatedGames: { dlcs: [one], ports: [one] } })
  const relatedGames = {
    dlcs: [two, one, two, targetId, new ObjectId()].map(hex),
    remakes: [hex(three)],
    forks: [hex(new ObjectId())],
  }
  const { game } = await scene.approve({ relatedGames }, { targetId })

  expect(game.relatedGames).toEqual({ dlcs: [one, two], ports: [one], remakes: [three] })
})

it('parentGameId sets the parent', async () => {
  const [parent, other] = [await insert(), await insert()]
  const targetId = await insert({ relatedGames: { parent_game: other, dlcs: [other] } })
  const { game } = await scene.approve({ parentGameId: hex(parent) }, { targetId })

  expect(game.relatedGames).toEqual({ parent_game: parent, dlcs: [other] })
  expect((await scene.approve({ name: 'New', parentGameId: hex(parent) })).game.relatedGames).toEqual({
    parent_game: parent,
  })
})

it('a parent that is not there, or the game itself, changes nothing', async () => {
  const targetId = await insert()
  const other = await insert()
  await scene.approve({ parentGameId: hex(targetId), relatedGames: { dlcs: [hex(other)] } }, { targetId })
  const { game } = await scene.approve({ parentGameId: hex(new ObjectId()), summary: 'New' }, { targetId })

  expect(game).toMatchObject({ summary: 'New', relatedGames: { dlcs: [other] } })
  expect(game.relatedGames).not.toHaveProperty('parent_game')
})

it('a game that another program stored with nulls for its lists, takes everything', async () => {
  const other = await insert()
  const targetId = await insertOldGame(scene.service.db)
  const nulls = { companies: [null], relatedGames: { dlcs: null }, screenshots: null, retroachievements: [null] }
  await scene.service.db.games.updateOne({ _id: targetId }, [{ $set: nulls }])
  const payload = {
    developer: 'North Pier',
    relatedGames: { dlcs: [hex(other)] },
    screenshots: [scene.images.link('png/1')],
    retroachievements: [{ gameId: 404, consoleId: 1 }],
  }
  const { game } = await scene.approve(payload, { targetId })

  expect(game.companies?.at(-1)).toEqual({ name: 'North Pier', key: 'north pier', developer: true })
  expect(game.relatedGames).toEqual({ dlcs: [other] })
  expect(game.screenshots).toHaveLength(1)
  expect(game.retroachievements).toEqual([{ gameId: 404, consoleId: 1 }])
})
