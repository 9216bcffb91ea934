import { expect, test } from 'vitest'
import type { EntryInput } from '#lib/contract/entries'
import { buildGameKeys } from '#lib/domain/catalogue/games/insert-game'
import { createdGameId } from '#lib/domain/conflicts/writer/find-decisions'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { insertPlatform, insertRequest } from '../../../../support/rows/rows.ts'
import { useWriterScene } from '../../../../support/scenes/writer-scene.ts'

const scene = await useWriterScene({ env: { SYNC_NEW: 'games' } })
const { admin, service } = scene
const { db } = service
await insertPlatform(db, { name: 'SNES', raConsoleId: 3, igdbId: 19 })

const RELEASED = Date.UTC(1999, 2, 3) / 1_000
const maker = { name: 'North Pier', developer: true }
const insert = (name: string, facts: Partial<GameDocument> = {}) => {
  const game = { name, first_release: RELEASED, companies: [maker], ...facts }
  return scene.insertGame({ ...game, ...buildGameKeys(game) })
}
const toEntry = (id: string, name: string): EntryInput => ({
  id,
  name,
  released: '1999-03-03',
  developers: ['North Pier'],
})
const hand = async (source: string, entry: EntryInput) => {
  const { body } = await admin.post('/entries', { body: { source, entries: [entry] } })
  return body.results[0].outcome
}
const written = async (source: 'igdb' | 'vndb' | 'ra' | 'hltb', externalId: string) => {
  const record = await db.conflicts.findOne({ source, externalId })
  if (record === null) throw new Error('there is no record')
  return await scene.settled(record)
}
const itemOf = async (source: string, id: string) => (await admin.get(`/conflicts/${source}/${id}`)).body.item
const reopen = (source: string, id: string) => admin.post(`/conflicts/${source}/${id}/reopen`)

const NAMES = { igdb: 'Moonlit Cartographer', vndb: 'Kingfisher Wood', ra: 'Paper Harbour' } as const

test.each([
  ['igdb', '501', () => scene.igdb.games.push({ id: 501, name: NAMES.igdb, summary: 'Of the source' })],
  ['vndb', 'v501', () => scene.vndb.put({ id: 'v501', title: NAMES.vndb })],
  ['ra', '501', () => scene.ra.put({ ID: 501, Title: NAMES.ra, ConsoleID: 3 })],
] as const)('%s: an automatic match is written as any other, and a reopening unlinks it for good', async (...row) => {
  const [source, id, put] = row
  put()
  const entry = toEntry(id, NAMES[source])
  const gameId = await insert(NAMES[source])
  expect(await hand(source, entry)).toBe('matched')
  const record = await written(source, id)

  expect(record).toMatchObject({ status: 'resolved', winner: gameId, isAutomatic: true, decidedBy: null })
  expect(await itemOf(source, id)).toMatchObject({ state: 'matched', isAutomatic: true, decidedBy: null })
  expect(await scene.eventsOf(record)).toEqual(['applied', 'applied'])
  const parsed = await scene.game(gameId)
  expect(parsed).toHaveProperty(source === 'ra' ? 'retroachievements.0.gameId' : source)

  expect((await reopen(source, id)).status).toBe(200)
  expect(await itemOf(source, id)).toMatchObject({ state: 'waiting', isAutomatic: false })
  const { [source === 'ra' ? 'retroachievements' : source]: link, summary } = await scene.game(gameId)
  expect([link ?? [], summary]).toEqual([[], parsed.summary])
  const log = (await admin.get(`/staff-actions?target=${source}/${id}`)).body.results[0]
  expect(log).toMatchObject({
    action: 'conflict-reopened',
    details: { gameId: gameId.toHexString(), note: 'The entry was unlinked; the fields that it wrote stay' },
  })
  expect(await hand(source, { ...entry, description: 'Something else' })).toBe('waiting')
  expect((await reopen(source, id)).status).toBe(409)
})

test('hltb: an automatic match is reopened with the entries that it had', async () => {
  const gameId = (await insert('Lantern Keep')).toHexString()
  scene.hltb.put({ game_id: 7, game_name: 'Lantern Keep' })
  const games = [{ gameId, entries: [{ id: 7, name: 'Lantern Keep', releaseYear: 1999 }] }]
  await admin.post('/entries', { body: { source: 'hltb', games } })
  expect(await written('hltb', gameId)).toMatchObject({ status: 'resolved', winnerEntryId: '7', isAutomatic: true })

  expect((await reopen('hltb', gameId)).status).toBe(200)
  expect(await itemOf('hltb', gameId)).toMatchObject({ state: 'waiting', entries: [{ id: '7' }] })
  expect(await db.games.countDocuments({ 'hltb.hltbId': '7' })).toBe(0)
})

test('an entry like no game becomes a game once, and is refreshed when it says something else', async () => {
  scene.vndb.put({ id: 'v601', title: 'Umbrella of Nine Winters' })
  const entry = toEntry('v601', 'Umbrella of Nine Winters')
  expect(await hand('vndb', entry)).toBe('new')
  const record = await written('vndb', 'v601')
  expect(record).toMatchObject({ status: 'absent', winner: createdGameId(record), isAutomatic: true })

  scene.vndb.put({ id: 'v601', title: 'Umbrella of Nine Winters', description: 'Snow.' })
  expect(await hand('vndb', { ...entry, description: 'Snow.' })).toBe('refreshed')
  expect(await written('vndb', 'v601')).toMatchObject({ status: 'resolved', isAutomatic: true, isRefresh: false })
  expect(await scene.game(createdGameId(record))).toMatchObject({ summary: 'Snow.', vndb: { vnId: 'v601' } })
  expect(await hand('vndb', { ...entry, description: 'Snow.' })).toBe('unchanged')
  expect(await db.games.countDocuments({ 'vndb.vnId': 'v601' })).toBe(1)
})

test('an entry of RetroAchievements like no game is left without one', async () => {
  expect(await hand('ra', toEntry('602', 'Nobody Knows This Cartridge'))).toBe('new')
  expect(await written('ra', '602')).toMatchObject({ status: 'absent', winner: null, isAutomatic: true })
})

test('a refresh that the source fails stays linked, and is tried again', async () => {
  const gameId = await insert('Salt and Copper', { igdb: { gameId: 701 } })
  const entry = toEntry('701', 'Salt and Copper')
  expect(await hand('igdb', entry)).toBe('refreshed')
  const failed = await written('igdb', '701')

  expect(failed).toMatchObject({ status: 'resolved', winner: gameId, failure: { message: expect.any(String) } })
  scene.igdb.games.push({ id: 701, name: 'Salt and Copper', summary: 'Copper' })
  expect(await hand('igdb', entry)).toBe('refreshed')
  expect(await written('igdb', '701')).toMatchObject({ status: 'resolved', failure: null })
  expect(await scene.game(gameId)).toMatchObject({ summary: 'Copper' })
})

test('a refresh keeps what an approved correction wrote, and parses all other fields', async () => {
  const gameId = await insert('Brass Orchard', { igdb: { gameId: 801 } })
  const image = { id: 1, image_id: 'co801' }
  const row = { id: 801, name: 'Brass Orchard', summary: 'Of the source', storyline: 'Of the source', cover: image }
  scene.igdb.games.push(row)
  const request = await insertRequest(db, {
    action: 'update',
    targetId: gameId,
    payload: { summary: 'Of a person', cover: scene.imageHost.link('png/person') },
  })
  const approval = await admin.post(`/requests/${request._id}/decision`, { body: { decision: 'approve' } })
  expect(approval.status, JSON.stringify(approval.body)).toBe(200)
  const corrected = await scene.game(gameId)
  expect(corrected.curatedFields?.toSorted()).toEqual(['cover', 'summary'])

  expect(await hand('igdb', toEntry('801', 'Brass Orchard'))).toBe('refreshed')
  await written('igdb', '801')
  expect(await scene.game(gameId)).toMatchObject({
    summary: 'Of a person',
    storyline: 'Of the source',
    cover: corrected.cover,
  })
  expect(await scene.objects('covers', gameId)).toHaveLength(1)
})
