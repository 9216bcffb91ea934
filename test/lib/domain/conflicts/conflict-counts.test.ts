import { beforeEach, expect, it } from 'vitest'
import { createConflictCounts } from '#lib/domain/conflicts/conflict-counts'
import { QUEUED, WAITING } from '#lib/domain/conflicts/states'
import { profile } from '../../../support/clients/profile.ts'
import { insertConflict } from '../../../support/rows/rows.ts'
import { useService } from '../../../support/service/start-service.ts'

const MANY = 300

const service = await useService()
beforeEach(() => service.db.conflicts.deleteMany({}))

const many = <T>(work: (index: number) => Promise<T>, length = MANY) =>
  Promise.all(Array.from({ length }, (_, index) => work(index)))
const countCommands = async (work: () => Promise<unknown>) => (await profile(service.db, 'conflicts', work)).length

const LONG_MS = 60_000
const insertMany = (count: number) => many(() => insertConflict(service.db, { source: 'igdb' }), count)
const counts = (intervalMs: number) => createConflictCounts(service.db, { intervalMs })

it('counts share one command within the interval, until a change expires them', async () => {
  await insertMany(3)
  const { count, expire } = counts(LONG_MS)
  const countAtOnce = () => many(() => count(WAITING, 'igdb'))
  const commands = await countCommands(async () => {
    expect(await countAtOnce()).toEqual(Array(MANY).fill(3))
    await insertMany(1)
    expect(await count(WAITING, 'igdb')).toBe(3)
    expire()
    expect(await countAtOnce()).toEqual(Array(MANY).fill(4))
  })
  expect(commands).toBe(2)
})

it('a count that was under way at a move is not used after it', async () => {
  await insertMany(3)
  const { count, moved } = counts(LONG_MS)
  const counted = count(WAITING, 'igdb')
  moved('igdb', WAITING, QUEUED)
  expect(await counted).toBe(3)
  await service.db.conflicts.deleteOne({})
  expect(await count(WAITING, 'igdb')).toBe(2)
})

it('the counts in the answer to a decision include it, also within the interval', async () => {
  const patient = await useService({ conflictCountsEveryMs: 60_000 })
  const carol = await patient.caller({ isAdmin: true })
  const records = await Promise.all(
    Array.from({ length: 5 }, (_, index) => insertConflict(patient.db, { source: 'ra', externalId: String(index) })),
  )
  for (const [index, { externalId }] of records.entries()) {
    const { body } = await carol.post(`/conflicts/ra/${externalId}/decision`, { body: { gameId: null } })
    expect(body).toMatchObject({ pending: 4 - index, applying: index + 1 })
  }
})
