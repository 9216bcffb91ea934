import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { insertGame } from '../../../../support/rows/rows.ts'
import { useConflicts } from '../../../../support/scenes/conflicts-scene.ts'

const { service, carol, dora, games, insert, post, refusal, stored, eventsOf } = await useConflicts()
const [one] = games
const found = await insertGame(service.db, { name: '$Found', slug: 'found', igdb: { gameId: 3 } })
const add = (record: Parameters<typeof post>[1], gameId: unknown, caller = carol) =>
  post(caller, record, 'candidates', { gameId })

beforeEach(() => Promise.all([service.db.conflicts.deleteMany({}), service.db.staffActions.deleteMany({})]))

it('200 with the item: the game is the first candidate, marked as found by hand, and may be chosen', async () => {
  const record = await insert({ externalId: '5' })
  await insert({ source: 'ra', externalId: '5' })
  const { status, body } = await add(record, found.toHexString().toUpperCase())

  expect(status).toBe(200)
  expect(body.item).toMatchObject({ externalId: '5', state: 'waiting', remaining: 1 })
  expect(body.item.candidates).toHaveLength(3)
  expect(body.item.candidates[0]).toMatchObject({
    gameId: found.toHexString(),
    name: '$Found',
    slug: 'found',
    score: 100,
    breakdown: { title: 0, companies: 0, date: 0, platforms: 0, genre: 0, type: 0 },
    isManual: true,
    dateSignal: 'unknown',
    matchedTitle: null,
    game: { linkedExternalId: '3' },
  })
  expect(body.item.candidates[1]).toMatchObject({ gameId: one.toHexString(), isManual: false })
  expect(await service.db.conflicts.countDocuments({ 'candidates.gameId': found })).toBe(1)
  expect(await eventsOf(record)).toEqual([])
  expect(await service.db.staffActions.find({ 'target.id': 'igdb/5' }).toArray()).toMatchObject([
    {
      admin: { userName: 'carol' },
      action: 'candidate-added',
      target: { kind: 'conflict', id: 'igdb/5', name: record.externalName },
      details: { gameId: found.toHexString() },
    },
  ])
  expect((await post(dora, record, 'decision', { gameId: found.toHexString() })).status).toBe(200)
})

it('200 for one of many who add a game at once', async () => {
  const record = await insert()
  const answers = await Promise.all(Array.from({ length: 10 }, () => add(record, found.toHexString())))

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status !== 200).map(refusal)).toEqual(
    Array(9).fill([409, 'This game is a candidate already']),
  )
  expect((await stored(record))?.candidates).toHaveLength(3)
  expect(await service.db.staffActions.countDocuments()).toBe(1)
})

it('409 for a decided conflict, with its admin, and for a game that is a candidate already', async () => {
  const record = await insert({ externalId: '5' })
  expect(refusal(await add(record, one.toHexString()))).toEqual([409, 'This game is a candidate already'])
  await post(dora, record, 'decision', { gameId: null })
  expect(refusal(await add(record, found.toHexString()))).toEqual([409, '$dora has already decided 5'])
  expect((await stored(record))?.candidates).toHaveLength(2)

  const resolved = await insert({ externalId: '6', status: 'resolved' })
  expect(refusal(await add(resolved, found.toHexString()))).toEqual([409, 'Someone has already decided 6'])
})

it('404 for a game or a conflict that does not exist', async () => {
  const record = await insert()
  expect(refusal(await add(record, new ObjectId().toHexString()))).toEqual([404, 'Game not found'])
  const unknown = { source: 'igdb', externalId: 'unknown' } as const
  expect(refusal(await add(unknown, found.toHexString()))).toEqual([404, 'Conflict not found'])
  expect(await stored(record)).toEqual(record)
})

it('400 for hltb, whose conflicts are about entries', async () => {
  const record = await insert({ source: 'hltb', externalId: one.toHexString() })
  expect(refusal(await add(record, found.toHexString()))).toEqual([
    400,
    'This conflict is about entries of its source, so it takes no games',
  ])
  expect(await stored(record)).toEqual(record)
})
