import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createConflictCounts } from '../../../lib/conflicts/conflict-counts.ts'
import { listConflicts } from '../../../lib/conflicts/list-conflicts.ts'
import { QUEUED, WAITING } from '../../../lib/conflicts/states.ts'
import { summarizeConflicts } from '../../../lib/conflicts/summarize-conflicts.ts'
import { profile } from '../../support/clients/profile.ts'
import { insertConflict } from '../../support/rows/rows.ts'
import { startService } from '../../support/service/start-service.ts'

const MANY = 300
/** Where each has a command of its own that nobody shares. */
const SOME = 50

const service = await startService()
beforeEach(() => service.db.conflicts.deleteMany({}))
afterAll(() => service.close())

const many = <T>(work: (index: number) => Promise<T>, length = MANY) =>
  Promise.all(Array.from({ length }, (_, index) => work(index)))
const countCommands = async (work: () => Promise<unknown>) => (await profile(service.db, 'conflicts', work)).length

describe('summaries that are asked for at once', () => {
  it('take the commands of one', async () => {
    await insertConflict(service.db, { source: 'vndb' })
    const one = await countCommands(() => summarizeConflicts(service.deps, {}))
    const commands = await countCommands(async () => {
      const answers = await many(() => summarizeConflicts(service.deps, {}))
      expect(answers.map(({ pending }) => pending)).toEqual(answers.map(() => 1))
    })
    expect(commands).toBe(one)
  })

  it('of one source are those of that source', async () => {
    await insertConflict(service.db, { source: 'vndb', externalId: 'v1' })
    await insertConflict(service.db, { source: 'ra', externalId: '1' })
    const answers = await many((index) =>
      summarizeConflicts(service.deps, { source: (['vndb', 'ra', 'igdb'] as const)[index % 3] }),
    )
    const firsts = answers.map(({ firstExternalId }) => firstExternalId)
    expect(firsts).toEqual(Array.from({ length: MANY / 3 }, () => ['v1', '1', null]).flat())
  })

  it('know what their caller wrote before', async () => {
    let written = 0
    const answers = await many(async (index) => {
      await insertConflict(service.db, { source: 'ra', externalId: String(index) })
      written += 1
      const least = written
      return { least, pending: (await summarizeConflicts(service.deps, { source: 'ra' })).pending }
    }, SOME)
    expect(answers.filter(({ least, pending }) => pending < least)).toEqual([])
  })
})

describe('lists that are asked for at once', () => {
  it('take the commands of one, each answered with its own', async () => {
    for (const [index, source] of (['vndb', 'igdb', 'hltb', 'ra'] as const).entries()) {
      await insertConflict(service.db, { source, externalId: String(index) })
    }
    const list = (page: number) => listConflicts(service.deps, { search: '', page, take: 2 })
    const one = await countCommands(() => list(1))
    const commands = await countCommands(async () => {
      const answers = await many(async () => (await list(1)).results.map(({ externalId }) => externalId))
      expect(answers).toEqual(answers.map(() => ['0', '1']))
    })
    expect(commands).toBe(one)
    const pages = await many(async (index) => (await list(1 + (index % 2))).results[0]?.externalId)
    expect(pages).toEqual(Array.from({ length: MANY / 2 }, () => ['0', '2']).flat())
  })
})

describe('counts', () => {
  const LONG_MS = 60_000
  const insertMany = (count: number) => many(() => insertConflict(service.db, { source: 'igdb' }), count)
  const counts = (intervalMs: number) => createConflictCounts(service.db, { intervalMs })

  it('take one command for all who ask, at once and within the interval', async () => {
    await insertMany(3)
    const { exact, recent } = counts(LONG_MS)
    const commands = await countCommands(async () => {
      expect(await many(() => exact(WAITING, 'igdb'))).toEqual(Array.from({ length: MANY }, () => 3))
      await insertMany(1)
      expect(await exact(WAITING, 'igdb')).toBe(3)
      expect(await recent(WAITING, 'igdb')).toBe(3)
    })
    expect(commands).toBe(1)
  })

  it('tell of what this instance moved at once, without another command', async () => {
    await insertMany(3)
    const { recent, moved } = counts(LONG_MS)
    expect(await Promise.all([recent(WAITING, 'igdb'), recent(QUEUED, 'igdb'), recent(WAITING, 'ra')])).toEqual([
      3, 0, 0,
    ])
    const commands = await countCommands(async () => {
      moved('igdb', WAITING, QUEUED)
      expect(await Promise.all([recent(WAITING, 'igdb'), recent(QUEUED, 'igdb'), recent(WAITING, 'ra')])).toEqual([
        2, 1, 0,
      ])
    })
    expect(commands).toBe(0)
  })

  it('after a change are those of then, once the interval is over', async () => {
    await insertMany(2)
    const { exact, expire } = counts(400)
    expect(await exact(WAITING, 'igdb')).toBe(2)
    const begunAt = performance.now()
    for (let change = 0; change < 3; change++) {
      await insertMany(1)
      expire()
    }
    const commands = await countCommands(async () => {
      expect(await many(() => exact(WAITING, 'igdb'))).toEqual(Array.from({ length: MANY }, () => 5))
    })
    expect(commands).toBe(1)
    expect(performance.now() - begunAt).toBeGreaterThan(300)
  })

  it('that are under way when a conflict is moved know of it', async () => {
    await insertMany(3)
    const { recent, moved } = counts(LONG_MS)
    const counted = recent(WAITING, 'igdb')
    moved('igdb', WAITING, QUEUED)
    expect(await counted).toBe(2)
    expect(await recent(WAITING, 'igdb')).toBe(2)
  })
})

it('a decision is in the counts of its own answer, within the interval, too', async () => {
  const patient = await startService({ conflictCountsEveryMs: 60_000 })
  try {
    const carol = await patient.caller({ isAdmin: true })
    const records = await Promise.all(
      Array.from({ length: 5 }, (_, index) => insertConflict(patient.db, { source: 'ra', externalId: String(index) })),
    )
    for (const [index, { externalId }] of records.entries()) {
      const { body } = await carol.post(`/conflicts/ra/${externalId}/decision`, { body: { gameId: null } })
      expect(body).toMatchObject({ pending: 4 - index, applying: index + 1 })
    }
  } finally {
    await patient.close()
  }
})
