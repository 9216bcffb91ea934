import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countWaiting } from '../../../lib/conflicts/conflict-reads.ts'
import { listConflicts } from '../../../lib/conflicts/list-conflicts.ts'
import { summarizeConflicts } from '../../../lib/conflicts/summarize-conflicts.ts'
import type { Caller } from '../../support/clients/caller.ts'
import { profile } from '../../support/clients/profile.ts'
import { insertConflict } from '../../support/rows/rows.ts'
import { startService, type TestService } from '../../support/service/start-service.ts'

const MANY = 300
/** Where each has a command of its own that nobody shares. */
const SOME = 50

let service: TestService
let admin: Caller
beforeAll(async () => {
  service = await startService()
  admin = await service.caller({ isAdmin: true })
})
beforeEach(() => service.db.conflicts.deleteMany({}))
afterAll(() => service.close())

const many = <T>(work: (index: number) => Promise<T>, length = MANY) =>
  Promise.all(Array.from({ length }, (_, index) => work(index)))
const countCommands = async (work: () => Promise<unknown>) => (await profile(service.db, 'conflicts', work)).length

describe('summaries that are asked for at once', () => {
  it('take the commands of one', async () => {
    await insertConflict(service.db, { source: 'vndb' })
    const commands = await countCommands(async () => {
      const answers = await many(() => summarizeConflicts(service.deps, {}))
      expect(answers.map(({ pending }) => pending)).toEqual(answers.map(() => 1))
    })
    expect(commands).toBe(1)
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

  it('are all answered over HTTP', async () => {
    await insertConflict(service.db)
    const answers = await many(() => admin.get('/conflicts'))
    expect(answers.filter(({ status, body }) => status !== 200 || body.pending !== 1)).toEqual([])
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

describe('counts that are asked for at once, as each item does', () => {
  it('take one command of each source', async () => {
    await insertConflict(service.db, { source: 'igdb' })
    const commands = await countCommands(async () => {
      const counts = await many((index) => countWaiting(service.deps, { source: index % 2 ? 'igdb' : 'ra' }))
      expect(counts).toEqual(counts.map((_, index) => index % 2))
    })
    expect(commands).toBe(2)
  })
})
