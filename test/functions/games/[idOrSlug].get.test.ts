import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { Game } from '#lib/contract/catalogue'
import { RELATIONS } from '#lib/contract/proposals/entry-fields'
import { completeKeys } from '#lib/domain/catalogue/keys/make-keys'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { insertGame } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const at = new Date('2024-02-29T12:00:00.000Z')
const iso = at.toISOString()
const [id, other, platformId] = [new ObjectId(), new ObjectId(), new ObjectId()]

const HOURS = ['mainStory', 'mainExtra', 'completionist', 'allStyles', 'coop', 'multiplayer']

/** Every field that a game can have, with its ids and dates as they are stored or as they are sent. */
function wholeGame<I, D>(toId: (id: ObjectId) => I, date: D) {
  return {
    _id: toId(id),
    name: 'Chrono Trigger',
    slug: 'chrono-trigger',
    alternative_names: ['クロノ・トリガー'],
    type: 'Main Game',
    status: 'Released',
    versionTitle: 'Original',
    summary: 'A fair',
    storyline: 'A gate',
    first_release: 794_880_000,
    release_dates: [
      { date: 794_880_000, human: '1995-03-11', month: 3, year: 1995, platformId: toId(platformId), region: 5 },
    ],
    platformIds: [toId(platformId)],
    genres: ['Role-playing (RPG)'],
    modes: ['Single player'],
    themes: ['Fantasy'],
    keywords: ['time travel'],
    franchises: ['Chrono'],
    game_engines: ['Own'],
    player_perspectives: ['Bird view'],
    languages: ['Japanese'],
    companies: [{ name: 'Square', developer: true, publisher: true, porting: false, supporting: false }],
    multiplayer_modes: [
      {
        campaignCoop: true,
        dropIn: false,
        lanCoop: false,
        offlineCoop: false,
        onlineCoop: false,
        splitscreen: false,
        splitscreenOnline: false,
        offlineCoopMax: 2,
        offlineMax: 0,
        onlineCoopMax: 0,
        onlineMax: 1_000,
        platformId: toId(platformId),
      },
    ],
    ageRatings: [{ organization: 'PEGI', rating: '12', synopsis: 'Mild' }],
    websites: ['https://example.com'],
    videos: ['https://example.com/v'],
    externalPages: [{ uid: '1', name: 'Steam', url: 'https://example.com/s' }],
    relatedGames: {
      parent_game: toId(other),
      ...Object.fromEntries(Object.keys(RELATIONS).map((relation) => [relation, [toId(other)]])),
    },
    cover: 'https://example.com/c',
    screenshots: ['https://example.com/1'],
    artworks: ['https://example.com/2'],
    isCustom: false,
    isStopParsing: true,
    igdb: {
      gameId: 1,
      url: 'https://example.com/i',
      rating: 91.5,
      rating_count: 10,
      aggregated_rating: 90,
      aggregated_rating_count: 3,
      total_rating: 91,
      total_rating_count: 13,
      hypes: 2,
      updatedAt: date,
    },
    vndb: { vnId: 'v1', rating: 80, votecount: 5, lengthMinutes: 600, syncedAt: date },
    hltb: {
      hltbId: '42',
      ...Object.fromEntries(
        HOURS.flatMap((key) => [
          [key, 20.5],
          [`${key}Count`, 7],
        ]),
      ),
      reviewScore: 93,
      imageUrl: 'https://example.com/h',
      platforms: ['SNES'],
      releaseYear: 1995,
      updatedAt: date,
    },
    retroachievements: [{ gameId: 319, consoleId: 3, consoleName: 'SNES', imageIcon: '/i.png', numAchievements: 70 }],
    createdAt: date,
    updatedAt: date,
  }
}

const INTERNAL = { importAttempts: { igdb: 3 }, lockedBy: 'x', nothing: null }

const service = await useService()
const stored: GameDocument = wholeGame((each) => each, at)
await service.db.games.insertOne({ ...stored, ...INTERNAL })
await service.db.games.updateOne({ _id: id }, { $set: { 'igdb.secret': 'x', 'companies.0.secret': 'x' } })
await insertGame(service.db, { name: 'Bare', slug: 'bare' })
await completeKeys(service.db)

test('200 with every field of the contract, ids in hex and dates in ISO, without derived and internal fields', async () => {
  const stored = await service.db.games.findOne({ _id: id })
  expect(stored?.companies?.[0]?.key).toBe('square')
  expect(stored?.searchWords).toContain('trigger')

  const answer = await service.guest.get('/games/chrono-trigger')
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual(wholeGame((each) => each.toHexString(), iso))
  expect(Object.keys(answer.body).sort()).toEqual(Object.keys(Game.shape).sort())
})

test.each([id.toHexString(), id.toHexString().toUpperCase(), 'chrono-trigger', 'CHRONO-Trigger'])(
  '200 for the id and the slug in any case: %s',
  async (idOrSlug) => {
    const answer = await service.guest.get(`/games/${idOrSlug}`)
    expect(answer.body._id).toBe(id.toHexString())
  },
)

test('200: an unknown field is absent, except the cover', async () => {
  expect((await service.guest.get('/games/bare')).body).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'Bare',
    slug: 'bare',
    cover: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
})

test('200: the times of HLTB have a date, also for a link that was never read', async () => {
  await insertGame(service.db, { slug: 'linked', hltb: { hltbId: '42' }, updatedAt: new Date(Date.UTC(2024, 1, 3)) })
  const { body } = await service.guest.get('/games/linked')
  expect(body.hltb).toEqual({ hltbId: '42', updatedAt: '2024-02-03T00:00:00.000Z' })
})

test.each([
  new ObjectId().toHexString(),
  'chrono',
  'chrono-trigger.',
  '$where',
  '%7B%22$gt%22:%22%22%7D',
  '%00',
  'x'.repeat(5_000),
])('404 for %s', async (idOrSlug) => {
  const answer = await service.guest.get(`/games/${idOrSlug}`)
  expect(answer.status).toBe(404)
  expect(answer.body.message).toBe('Game not found')
})
