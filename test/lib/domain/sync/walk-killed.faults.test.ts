import { expect, it } from 'vitest'
import { endLeases } from '#lib/infrastructure/db/lease'
import type { FatalStep, JobProgram } from '../../../support/processes/run-job.ts'
import { startTestProgram } from '../../../support/processes/test-programs.ts'
import { useSyncScene } from '../../../support/scenes/sync-scene.ts'
import { randomFrom } from '../../../support/tools/random.ts'

const NOVELS = 1_500
const PAGES = 15
const KILLS = 20
const CHUNKS_OF_A_PAGE = 12
const STEPS = ['sync:taken', 'sync:stored', 'intake:judged', 'intake:announced']

const spawn = (program: JobProgram, env: Record<string, string>) => startTestProgram('run-job', program, env)
const kill = (step: string, nth: number): FatalStep => ({ step, nth, signal: 'SIGKILL' })

it(`a walk that is killed ${KILLS} times repeats one page at most each time, and ends complete`, async () => {
  const scene = await useSyncScene({ env: { SYNC_NEW: 'games' } })
  scene.putNovels(NOVELS)
  const random = randomFrom(28)
  const program = { uri: scene.service.mongodbUri, syncLimits: { pollMs: 20, leaseMs: 10_000 } }
  const count = () => scene.vndb.requests.length
  const cursors: number[] = []

  for (let round = 0; round < KILLS; round += 1) {
    const step = STEPS[round % STEPS.length] ?? ''
    const nth = step === 'intake:judged' ? 1 + Math.floor(random() * CHUNKS_OF_A_PAGE) : 1
    const before = count()
    const { ended } = spawn({ ...program, fatal: kill(step, nth) }, scene.env)
    const { signal, printed } = await ended
    expect({ step, signal, printed, pages: count() - before }).toEqual({
      step,
      signal: 'SIGKILL',
      printed: 'started\nthere\n',
      pages: 1,
    })
    // The next process need not wait for the lease.
    await endLeases(scene.service.db.leases)
    cursors.push(Number((await scene.read())?.cursor?.slice(1) ?? 0))
  }
  expect(cursors).toEqual(cursors.toSorted((a, b) => a - b))

  const last = spawn(program, scene.env)
  expect(await scene.ended()).toMatchObject({ read: NOVELS, cursor: null })
  last.child.kill('SIGTERM')
  expect(await last.ended).toMatchObject({ code: 0 })
  expect(count()).toBeLessThanOrEqual(PAGES + KILLS)
  const ids = await scene.service.db.conflicts.distinct('externalId', { source: 'vndb' })
  expect(ids).toHaveLength(NOVELS)
  expect(await scene.service.db.conflicts.countDocuments({})).toBe(NOVELS)
})

it('an instance that is killed is followed by another as soon as its lease has run out', async () => {
  const scene = await useSyncScene()
  scene.putNovels(300)
  const program = { uri: scene.service.mongodbUri, syncLimits: { pollMs: 50, leaseMs: 2_000 } }
  const killed = spawn({ ...program, fatal: kill('sync:stored', 2) }, scene.env)
  await killed.ended
  const other = spawn(program, scene.env)

  expect(await scene.ended()).toMatchObject({ read: 300 })
  expect(scene.vndb.requests).toHaveLength(3)
  other.child.kill('SIGTERM')
  await other.ended
})
