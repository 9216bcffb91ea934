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
const hexes = (ids: readonly ObjectId[] | undefined) => ids?.map(hex)

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

it('platforms of the catalogue are kept, each once', async () => {
  const [pc, ps] = [await scene.insertPlatform({}), await scene.insertPlatform({})]
  const game = await update({ platformIds: [pc, new ObjectId(), ps, pc].map(hex) }, { platformIds: [new ObjectId()] })

  expect(hexes(game.platformIds)).toEqual([pc, ps].map(hex))
})

it('platforms that are all unknown change nothing', async () => {
  const stored = [new ObjectId()]
  const gone = { platformIds: [hex(new ObjectId())], release_dates: [{ date: 0, platformId: hex(new ObjectId()) }] }
  const game = await update({ ...gone, summary: 'New' }, { platformIds: stored })

  expect(game).toMatchObject({ platformIds: stored, summary: 'New' })
  expect(game).not.toHaveProperty('release_dates')
})

it('release dates keep known platforms, and get day, month, year and a region', async () => {
  const platformId = await scene.insertPlatform({})
  const release = (date: number, more = {}) => ({ date, platformId: hex(platformId), ...more })
  const game = await update({
    release_dates: [
      release(Date.UTC(2017, 11, 31) / 1_000 + DAY - 1),
      release(-1, { region: 5 }),
      { date: 0, platformId: hex(new ObjectId()) },
    ],
  })

  expect(game.release_dates).toEqual([
    { date: 1_514_764_799, human: '2017-12-31', month: 12, year: 2017, platformId, region: 8 },
    { date: -1, human: '1969-12-31', month: 12, year: 1969, platformId, region: 5 },
  ])
})

it('multiplayer modes keep known platforms', async () => {
  const platformId = await scene.insertPlatform({})
  const game = await update({
    multiplayer_modes: [
      { onlineCoop: true, onlineMax: 0, platformId: hex(platformId) },
      { dropIn: false, platformId: hex(new ObjectId()) },
      { lanCoop: true },
    ],
  })

  expect(game.multiplayer_modes).toEqual([{ onlineCoop: true, onlineMax: 0, platformId }, { lanCoop: true }])
})

const PIER = { name: 'North Pier', key: 'north pier' }

it('companies replace the stored ones', async () => {
  const companies = [{ name: 'North Pier', developer: true, porting: false }, { name: 'Harbour' }]
  const game = await update({ companies }, { companies: [{ name: 'Old' }] })

  expect(game.companies).toEqual([
    { ...PIER, developer: true, porting: false },
    { name: 'Harbour', key: 'harbour' },
  ])
})

it.each([
  ['developer', { developer: 'NORTH  PIER!' }, { developer: true }],
  ['publisher', { publisher: 'north pier' }, { publisher: true }],
])('%s sets the flag on the company of the same normalised name', async (_, payload, flag) => {
  const others = [{ name: 'Harbour', key: 'harbour', supporting: true }]
  const game = await update(payload, { companies: [...others, { name: 'North Pier', porting: true }] })

  expect(game.companies).toEqual([...others, { ...PIER, porting: true, ...flag }])
})

it('developer and publisher add the company that is not there', async () => {
  const game = await update({ developer: 'North Pier', publisher: 'Harbour' }, { companies: [{ name: 'Old' }] })

  expect(game.companies).toEqual([
    { name: 'Old', key: 'old' },
    { ...PIER, developer: true },
    { name: 'Harbour', key: 'harbour', publisher: true },
  ])
})

it('developer and publisher of one name are one company, also beside companies that were picked', async () => {
  const shortcuts = { developer: 'North Pier', publisher: 'North Pier' }
  const both = { ...PIER, developer: true, publisher: true }

  expect((await scene.approve({ name: 'Harbour Lights', ...shortcuts })).game.companies).toEqual([both])
  const game = await update({ ...shortcuts, companies: [{ name: 'Harbour' }] }, { companies: [{ name: 'Old' }] })
  expect(game.companies).toEqual([{ name: 'Harbour', key: 'harbour' }, both])
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
