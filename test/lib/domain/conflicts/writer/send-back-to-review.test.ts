import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { createdGameId } from '#lib/domain/conflicts/writer/find-decisions'
import { filesFolder } from '#lib/infrastructure/storage/local-storage'
import { useWriterScene } from '../../../../support/scenes/writer-scene.ts'

const scene = await useWriterScene()

const { apply, insertGame: insert, image } = scene

/** Expects that a record waits for a decision again, and that every admin is sent its event. */
async function expectReturned(record: Awaited<ReturnType<typeof apply>>, message: string): Promise<void> {
  expect(record).toMatchObject({
    status: 'pending',
    decision: null,
    winner: null,
    winnerEntryId: null,
    decidedBy: null,
    failure: { message, at: expect.any(Date) },
  })
  await scene.announced(record)
  expect(await scene.eventsOf(record)).toEqual(['applied'])
  const { body } = await scene.admin.get(`/conflicts/${record.source}/${record.externalId}`)
  expect(body.item).toMatchObject({ state: 'waiting', decidedBy: null, failure: { message } })
}

test.each([
  { source: 'vndb', externalId: 'v701', part: { vndb: { vnId: 'v700' } }, other: 'v700' },
  { source: 'igdb', externalId: '701', part: { igdb: { gameId: 700 } }, other: '700' },
  { source: 'hltb', winnerEntryId: '701', part: { hltb: { hltbId: '700' } }, other: '700' },
] as const)(
  'a match of $source comes back when the game is linked to another entry',
  async ({ part, other, ...entry }) => {
    scene.vndb.put({ id: 'v701', title: 'Lantern Busy', image: image('png/701') })
    scene.igdb.games.push({ id: 701, name: 'Lantern Busy', cover: { id: 1, image_id: 'co701' } })
    scene.hltb.put({ game_id: 701, game_name: 'Lantern Busy' })
    const winner = await insert({ name: 'Busy Lantern', ...part })
    const before = await scene.game(winner)

    const entries = [{ id: '701', name: 'Lantern Busy' }]
    const record = await apply({ externalId: String(winner), winner, entries, ...entry })

    await expectReturned(record, `Busy Lantern is already linked to ${other}`)
    expect(await scene.game(winner)).toMatchObject({ name: before.name, ...part })
    expect(await scene.objects('covers', winner)).toEqual([])
  },
)

test('a match comes back when another game has the entry', async () => {
  scene.vndb.put({ id: 'v703', title: 'Lantern Owned', image: image('png/703') })
  const owner = await insert({ name: 'The Owner', vndb: { vnId: 'v703' } })
  const winner = await insert()

  await expectReturned(
    await apply({ source: 'vndb', externalId: 'v703', winner }),
    'The Owner is already linked to v703',
  )
  expect(await scene.game(owner)).toMatchObject({ vndb: { vnId: 'v703' } })
  expect(await scene.game(winner)).not.toHaveProperty('vndb')
  expect(await scene.objects('covers', winner)).toEqual([])
})

test('the second of two entries that were matched with one game comes back', async () => {
  scene.vndb.put({ id: 'v704', title: 'Lantern One' }, { id: 'v705', title: 'Lantern Two' })
  const winner = await insert({ name: 'Wanted' })
  const records = await Promise.all(
    ['v704', 'v705'].map((externalId) => scene.queue({ source: 'vndb', externalId, winner })),
  )
  const [one, two] = await Promise.all(records.map(scene.settled))
  const [linked, returned] = one?.status === 'resolved' ? [one, two] : [two, one]

  expect(linked).toMatchObject({ status: 'resolved', winner })
  expect(returned?.failure?.message).toBe(`Wanted is already linked to ${linked?.externalId}`)
  expect(await scene.game(winner)).toMatchObject({ vndb: { vnId: linked?.externalId } })
})

test.each([
  { source: 'vndb', externalId: 'v706' },
  { source: 'igdb', externalId: '706' },
  { source: 'ra', externalId: '706' },
  { source: 'hltb', externalId: new ObjectId().toHexString() },
] as const)('a match of $source comes back when the game is gone', async (entry) => {
  scene.vndb.put({ id: 'v706', title: 'Lantern Gone' })
  scene.igdb.games.push({ id: 706, name: 'Lantern Gone' })
  scene.ra.put({ ID: 706, Title: 'Lantern Gone' })
  scene.hltb.put({ game_id: 706, game_name: 'Lantern Gone' })
  const entries = [{ id: '706', name: 'Lantern Gone' }]
  const record = await apply({ ...entry, winner: new ObjectId(), winnerEntryId: '706', entries })

  await expectReturned(record, 'The game no longer exists')
})

test.each([
  { source: 'vndb', externalId: 'v9999', sentence: 'VNDB v9999' },
  { source: 'igdb', externalId: '9999', sentence: 'IGDB 9999' },
  { source: 'ra', externalId: '9999', sentence: 'RetroAchievements 9999' },
  { source: 'vndb', externalId: 'x1', sentence: 'VNDB x1' },
  { source: 'igdb', externalId: '$ne', sentence: 'IGDB $ne' },
  { source: 'ra', externalId: '1e3', sentence: 'RetroAchievements 1e3' },
  { source: 'hltb', winnerEntryId: '9999', sentence: 'HLTB 9999' },
] as const)('$sentence comes back when the source has no such entry', async ({ sentence, ...entry }) => {
  const winner = await insert()

  await expectReturned(
    await apply({ externalId: String(winner), winner, ...entry }),
    `${sentence} could not be read: the source has no such entry`,
  )
  for (const part of ['vndb', 'igdb', 'retroachievements']) expect(await scene.game(winner)).not.toHaveProperty(part)
})

test('a decision that came back is decided again, which clears its failure', async () => {
  const winner = await insert()
  const candidates = [{ gameId: winner, slug: 'x', name: 'X', score: 1 }]
  const record = await apply({ source: 'vndb', externalId: 'v709', winner, candidates })
  await expectReturned(record, 'VNDB v709 could not be read: the source has no such entry')

  scene.vndb.put({ id: 'v709', title: 'Lantern Late' })
  const { status } = await scene.admin.post('/conflicts/vndb/v709/decision', {
    body: { gameId: winner.toHexString() },
  })
  expect(status).toBe(200)
  const again = await scene.settled(record)
  await scene.announced(record)

  expect(again).toMatchObject({ status: 'resolved', winner, failure: null, externalData: { name: 'Lantern Late' } })
  expect(await scene.eventsOf(record)).toEqual(['applied', 'queued-match', 'applied'])
})

test('a skip comes back when its images cannot be stored, and makes its game the next time', async () => {
  scene.vndb.put({ id: 'v710', title: 'Lantern Full', image: image('png/710') })
  const files = filesFolder(scene.service.deps.config)
  await mkdir(dirname(files), { recursive: true })
  await rm(files, { recursive: true, force: true })
  await writeFile(files, '')
  const record = await apply({ source: 'vndb', externalId: 'v710', decision: 'skip' })

  expect(record.failure?.message).toMatch(/^The images of VNDB v710 could not be stored: /)
  expect(await scene.service.db.games.countDocuments({ name: 'Lantern Full' })).toBe(0)
  await rm(files)
  await scene.admin.post('/conflicts/vndb/v710/decision', { body: { gameId: null } })
  const again = await scene.settled(record)
  expect(again).toMatchObject({ status: 'absent', failure: null, winner: createdGameId(record) })
  const [object] = await scene.objects('covers', again.winner)
  expect(await scene.game(again.winner)).toMatchObject({
    slug: 'lantern-full',
    vndb: { vnId: 'v710' },
    cover: `covers/${again.winner}/${object}`,
  })
})
