import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { insertCharacter, insertGame, insertRequest } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const platformId = new ObjectId()
const relatedId = new ObjectId()
const hex = (id: ObjectId) => id.toHexString()

const service = await useService()
const admin = await service.caller({ isAdmin: true })

async function read(facts: Partial<ContentRequestDocument>) {
  const { _id } = await insertRequest(service.db, facts)
  return (await admin.get(`/requests/${hex(_id)}`)).body
}

async function currentOfGame(payload: Record<string, unknown>, game: Partial<GameDocument> = {}) {
  const targetId = await insertGame(service.db, game)
  return (await read({ action: 'update', targetId, payload })).current
}

it('200 with everything an admin sees, and no present values for a new entry', async () => {
  const author = await service.caller()
  const claimedAt = new Date(Date.now() - 60_000)
  const request = { userId: new ObjectId(author.id), claimedAt, claimedBy: new ObjectId(admin.id), slot: 0 }
  const { _id } = await insertRequest(service.db, { ...request, kind: 'character', note: 'Seen' })
  const listed = (await admin.get('/requests?status=pending&kind=character')).body.results

  const { status, body } = await admin.get(`/requests/${hex(_id).toUpperCase()}`)
  expect(status).toBe(200)
  expect(body).toEqual({ ...listed.find((row: { _id: string }) => row._id === hex(_id)), current: null })
  expect(body).toMatchObject({ claimedAt: claimedAt.toISOString(), claimedBy: admin.id, note: 'Seen' })
})

it('200: current has plain fields as stored, with the keys of the payload only', async () => {
  const stored = {
    name: 'Halcyon',
    alternative_names: ['Halcyon: Gold'],
    type: 'Main Game',
    first_release: 794_880_000,
    genres: ['Puzzle'],
    cover: 'https://files.example.com/covers/a',
    screenshots: ['https://files.example.com/screenshots/a'],
    ageRatings: [{ organization: 'PEGI', rating: '12' }],
    externalPages: [{ uid: '1', name: 'Shop', url: 'https://example.com' }],
  }
  const proposed = Object.keys(stored).map((key) => [key, 'x'])

  expect(await currentOfGame(Object.fromEntries(proposed), { ...stored, summary: 'Not asked for' })).toEqual(stored)
  expect(await currentOfGame({ genres: ['x'] }, stored)).toEqual({ genres: ['Puzzle'] })
})

it('200: current has every field in the form of a payload', async () => {
  const date = { date: 794_880_000, platformId, region: 8 }
  const game: Partial<GameDocument> = {
    platformIds: [platformId],
    release_dates: [{ ...date, human: '1995-03-11', month: 3, year: 1995 }],
    companies: [
      { name: 'Port House', key: 'port house', porting: true, developer: false },
      { name: 'Lantern Works', key: 'lantern works', developer: true, publisher: true },
      { name: 'Second', key: 'second', developer: true },
    ],
    multiplayer_modes: [{ lanCoop: true, onlineMax: 4, platformId, internal: 1 }],
    relatedGames: { parent_game: relatedId, dlcs: [relatedId], ports: [] },
    igdb: { gameId: 17, url: 'https://example.com' },
    vndb: { vnId: 'v17' },
    hltb: { hltbId: '42', mainStory: 1 },
    retroachievements: [{ gameId: 5, consoleId: 7, consoleName: 'Console', numAchievements: 3 }],
  }
  const keys = [
    'platformIds',
    'release_dates',
    'companies',
    'developer',
    'publisher',
    'multiplayer_modes',
    'relatedGames',
    'parentGameId',
    'igdbId',
    'vndbId',
    'hltbId',
    'retroachievements',
  ]
  const payload = Object.fromEntries(keys.map((key) => [key, 'x']))

  expect(await currentOfGame(payload, game)).toEqual({
    platformIds: [hex(platformId)],
    release_dates: [{ date: 794_880_000, platformId: hex(platformId), region: 8 }],
    companies: [
      { name: 'Port House', porting: true, developer: false },
      { name: 'Lantern Works', developer: true, publisher: true },
      { name: 'Second', developer: true },
    ],
    developer: 'Lantern Works',
    publisher: 'Lantern Works',
    multiplayer_modes: [{ lanCoop: true, onlineMax: 4, platformId: hex(platformId) }],
    relatedGames: { dlcs: [hex(relatedId)], ports: [] },
    parentGameId: hex(relatedId),
    igdbId: 17,
    vndbId: 'v17',
    hltbId: '42',
    retroachievements: [{ gameId: 5, consoleId: 7 }],
  })
  const nothing = Object.fromEntries(keys.map((key) => [key, null]))
  expect(await currentOfGame(payload)).toEqual(nothing)
  // Another program may store these nulls.
  const nulls = { companies: null, relatedGames: null, igdb: null, genres: null, platformIds: [] }
  expect(await currentOfGame(payload, nulls as never)).toEqual(nothing)
  expect(await currentOfGame({ relatedGames: {} }, { relatedGames: { parent_game: relatedId } })).toEqual({
    relatedGames: null,
  })
})

it('200: current of a character has the keys of its payload', async () => {
  const fields: Partial<CharacterDocument> = {
    akas: ['The Wick'],
    gender: 'Unknown',
    mugShot: 'https://example.com/a',
  }
  const targetId = await insertCharacter(service.db, {
    name: 'Wick',
    slug: 'the-wick',
    gameIds: [relatedId],
    ...fields,
  })
  const payload = { name: 'x', akas: ['x'], gameIds: ['x'], gender: 'x', mugShot: 'x', species: 'x' }
  const body = await read({ kind: 'character', action: 'update', targetId, payload })

  expect(body.current).toEqual({ name: 'Wick', gameIds: [hex(relatedId)], ...fields, species: null })
  expect(body).toMatchObject({ targetName: 'Wick', targetSlug: 'the-wick' })
})

it('200: current is null for an unknown key, and for each key without a target', async () => {
  const payload = { name: 'x', developer: 'x', slug: 'x', toString: 'x' }
  const expected = { name: null, developer: null, slug: null, toString: null }

  for (const kind of ['game', 'character'] as const) {
    expect(await read({ kind, action: 'update', targetId: new ObjectId(), payload })).toMatchObject({
      current: expected,
      targetName: null,
    })
  }
  expect((await read({ action: 'update', payload })).current).toEqual(expected)
  expect(await currentOfGame({ slug: 'x', toString: 'x' })).toEqual({ slug: null, toString: null })
})
