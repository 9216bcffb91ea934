import { beforeEach, expect, test } from 'vitest'
import { findDecisions } from '#lib/domain/conflicts/writer/find-decisions'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { expectIndexed, profile } from '../../../../support/clients/profile.ts'
import { newConflict } from '../../../../support/rows/rows.ts'
import { useWriterScene } from '../../../../support/scenes/writer-scene.ts'

const scene = await useWriterScene({ isWriting: false })
beforeEach(() => scene.service.db.conflicts.deleteMany({}))

const find = (source: 'vndb' | 'ra', size = 100) => findDecisions(scene.service.deps, { source, size })
const idsOf = (records: readonly ConflictDocument[]) => records.map(({ externalId }) => externalId)

test('reads the index of queued decisions, however many wait undecided', async () => {
  const undecided = Array.from({ length: 500 }, () => newConflict({ source: 'vndb', decision: null }))
  await scene.service.db.conflicts.insertMany(undecided)
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      scene.queue({ source: 'vndb', externalId: `v${index}`, decision: index % 2 ? 'match' : 'skip' }),
    ),
  )
  const commands = await profile(scene.service.db, 'conflicts', async () => {
    expect(await find('vndb', 10)).toHaveLength(10)
    expect(await find('ra', 1)).toEqual([])
  })

  expect(commands).toHaveLength(3)
  expectIndexed(commands, { keys: 50, docs: 25 })
})

test('finds decisions of people before older ones that nobody waits for, without a read of those', async () => {
  const createdAt = new Date(0)
  const older = [
    ...Array.from({ length: 200 }, () => ({ isAutomatic: true })),
    ...Array.from({ length: 200 }, () => ({ isRefresh: true })),
  ]
  const queued = older.map((kind) => newConflict({ source: 'vndb', decision: 'match', createdAt, ...kind }))
  await scene.service.db.conflicts.insertMany(queued)
  await scene.queue({ source: 'vndb', externalId: 'v1', decision: 'match' })
  await scene.queue({ source: 'vndb', externalId: 'v2', decision: 'skip', isAutomatic: false, isRefresh: false })
  const commands = await profile(scene.service.db, 'conflicts', async () => {
    expect(idsOf(await find('vndb', 2))).toEqual(['v1', 'v2'])
    const found = await find('vndb', 10)
    expect([idsOf(found).slice(0, 2), found.length]).toEqual([['v1', 'v2'], 10])
  })
  expectIndexed(commands, { keys: 50, docs: 25 })
})
