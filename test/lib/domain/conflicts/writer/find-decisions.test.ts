import { beforeEach, expect, test } from 'vitest'
import { findDecisions } from '#lib/domain/conflicts/writer/find-decisions'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { expectIndexed, profile } from '../../../../support/clients/profile.ts'
import { newConflict } from '../../../../support/rows/rows.ts'
import { useWriterScene } from '../../../../support/scenes/writer-scene.ts'

const scene = await useWriterScene({ isWriting: false })
beforeEach(() => scene.service.db.conflicts.deleteMany({}))

const find = (source: 'vndb' | 'ra', size = 100) => findDecisions(scene.service.deps, { source, size })
const _idsOf = (records: readonly ConflictDocument[]) => records.map(({ externalId }) => externalId)

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

  expect(commands).toHaveLength(2)
  expectIndexed(commands, { keys: 50, docs: 25 })
})
