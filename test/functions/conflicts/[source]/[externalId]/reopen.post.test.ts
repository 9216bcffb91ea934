import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { buildGameKeys } from '#lib/domain/catalogue/games/insert-game'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { insertGame } from '../../../../support/rows/rows.ts'
import { useConflicts } from '../../../../support/scenes/conflicts-scene.ts'

const { service, carol, dora, insert, post, refusal, stored, eventsOf } = await useConflicts()
const reopen = (record: Parameters<typeof post>[1], caller = carol) => post(caller, record, 'reopen')

async function insertNamed(name: string, facts: Partial<GameDocument> = {}) {
  return insertGame(service.db, { name, ...facts, ...buildGameKeys({ name, ...facts }) })
}
const namesake = await insertNamed('Moonlit Cartographer', { first_release: 915_148_800 })
const alternative = await insertNamed('Kawasemi no Mori', { alternative_names: ['Kingfisher Wood'] })

beforeEach(() => service.db.conflicts.deleteMany({}))

const skipped = { status: 'absent', decision: 'skip', decidedBy: { userId: new ObjectId(), userName: 'erin' } } as const
const idsOf = (record: Awaited<ReturnType<typeof stored>>) =>
  record?.candidates?.map(({ gameId }) => gameId.toHexString())

it('200 with the summary of the source: the conflict waits again, with candidates of its stored entry', async () => {
  const record = await insert({
    ...skipped,
    source: 'ra',
    externalId: '9',
    externalName: 'Nothing like it',
    winner: null,
    failure: { message: 'Old', at: new Date() },
    externalData: { name: 'Moonlit Cartographer', released: '1999-01-01' },
  })
  await insert({ source: 'igdb', externalId: '9' })
  const { status, body } = await reopen(record, dora)

  expect(status).toBe(200)
  expect(body).toMatchObject({ pending: 1, applying: 0, firstExternalId: '9', firstSource: 'ra' })
  const now = await stored(record)
  expect(now).toMatchObject({
    status: 'pending',
    decision: null,
    winner: null,
    winnerEntryId: null,
    decidedBy: null,
    failure: null,
    createdAt: record.createdAt,
    reason: expect.stringMatching(/^[a-z-]+$/),
  })
  expect(now).not.toHaveProperty('createdGameId')
  expect(idsOf(now)?.[0]).toBe(namesake.toHexString())
  expect(now?.candidates?.[0]).toMatchObject({
    dateSignal: 'confirms',
    isManual: false,
    breakdown: { title: expect.any(Number) },
  })
  expect(now?.candidates?.[0]?.score).toBeGreaterThan(50)
  expect(await eventsOf(record)).toEqual([
    { event: 'conflict:decided', payload: { source: 'ra', externalId: '9', state: 'waiting', decidedBy: '$dora' } },
  ])
  expect(await service.db.staffActions.find({ 'target.id': 'ra/9' }).toArray()).toMatchObject([
    {
      admin: { userName: '$dora' },
      action: 'conflict-reopened',
      target: { kind: 'conflict', id: 'ra/9', name: record.externalName },
    },
  ])
  const { item } = (await carol.get('/conflicts/ra/9')).body
  expect(item).toMatchObject({ state: 'waiting', candidates: [{ game: {} }], decidedBy: null })
})

it('200: the game that the skip created stays and is the first candidate', async () => {
  const created = await insertNamed('$Moonlit Cartographer: Special', { igdb: { gameId: 77 } })
  const record = await insert({
    ...skipped,
    externalId: '77',
    winner: created,
    externalData: { name: 'Moonlit Cartographer' },
  })
  await reopen(record)
  const now = await stored(record)

  expect(now).toMatchObject({ winner: null })
  expect(idsOf(now)?.[0]).toBe(created.toHexString())
  expect(idsOf(now)?.filter((id) => id === created.toHexString())).toHaveLength(1)
  expect(idsOf(now)).toContain(namesake.toHexString())
  expect(now?.candidates?.[0]).toMatchObject({ name: '$Moonlit Cartographer: Special', isManual: false })
  expect(await service.db.games.countDocuments({ _id: created })).toBe(1)
})

it('200: a record without an entry is matched by its title, one with an entry by all its names', async () => {
  const bare = await insert({ ...skipped, externalName: 'Moonlit Cartographer', externalData: null })
  await reopen(bare)
  expect(idsOf(await stored(bare))?.[0]).toBe(namesake.toHexString())

  const data = { name: 'Qwertz', originalName: null, alternativeNames: ['Kingfisher Wood'] }
  const other = await insert({ ...skipped, externalName: 'Qwertz', externalData: data })
  await reopen(other)
  expect(idsOf(await stored(other))).toContain(alternative.toHexString())
})

it.each([
  { status: 'pending' },
  { status: 'pending', decision: 'skip' },
  { status: 'pending', decision: 'match' },
  { status: 'resolved', decision: 'match' },
] as const)('409 while it is %j', async (facts) => {
  const record = await insert(facts)
  expect(refusal(await reopen(record))).toEqual([409, 'Only a skipped conflict or an automatic match can be reopened'])
  expect(await stored(record)).toEqual(record)
  expect(await eventsOf(record)).toEqual([])
})

it('404 for an unknown conflict, 400 for hltb', async () => {
  expect(refusal(await reopen({ source: 'igdb', externalId: 'unknown' }))).toEqual([404, 'Conflict not found'])
  const record = await insert({ ...skipped, source: 'hltb', externalId: new ObjectId().toHexString() })
  expect(refusal(await reopen(record))).toEqual([400, 'Conflicts of this source cannot be matched again'])
  expect(await stored(record)).toEqual(record)
})

it('200 for one of ten reopenings at once', async () => {
  const record = await insert({ ...skipped, externalId: 'ten' })
  const answers = await Promise.all(Array.from({ length: 10 }, () => reopen(record)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  expect(await eventsOf(record)).toHaveLength(1)
})
