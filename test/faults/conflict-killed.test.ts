import { afterAll, expect, it } from 'vitest'
import { watchConflicts } from '../support/clients/watch-conflicts.ts'
import { changeAndDie } from '../support/processes/spawn-change.ts'
import { insertConflict, insertGame } from '../support/rows/rows.ts'
import { startTwins, untilCaughtUp } from '../support/scenes/twin-scene.ts'

const scene = await startTwins()
afterAll(() => scene.close())

const VERBS = {
  decide: { action: 'conflict-decided', request: 'decision', steps: ['conflict:decided', 'conflict:recorded'] },
  reopen: { action: 'conflict-reopened', request: 'reopen', steps: ['conflict:reopened', 'conflict:recorded'] },
  add: { action: 'candidate-added', request: 'candidates', steps: ['conflict:candidate-added'] },
} as const
const CASES = (['decide', 'reopen', 'add'] as const).flatMap((verb) => [
  ...VERBS[verb].steps.map((step) => ({ verb, step, isDone: false })),
  // A candidate is told of to nobody.
  ...(verb === 'add' ? [] : [{ verb, step: 'conflict:written', isDone: true }]),
])

it.each(CASES)(
  'an admin\'s process that is killed at $step of "$verb" leaves nothing half, nothing twice and nothing untold',
  async ({ verb, step, isDone }) => {
    const { service, other, admin } = scene
    const { action, request } = VERBS[verb]
    const gameId = await insertGame(service.db)
    const record = await insertConflict(service.db, {
      source: 'vndb',
      candidates: verb === 'add' ? [] : [{ gameId, slug: 'one', name: 'One', score: 50 }],
      ...(verb === 'reopen' && { status: 'absent', decision: 'skip' }),
    })
    await untilCaughtUp(service.deps)
    await untilCaughtUp(other.deps)
    const tabs = [await watchConflicts(service, admin), await watchConflicts(other, scene.atOther(admin))]
    const stored = () => service.db.conflicts.findOne({ _id: record._id })
    const countActions = () =>
      service.db.staffActions.countDocuments({ action, 'target.id': `vndb/${record.externalId}` })
    const countTold = () =>
      Promise.all(
        tabs.map(async (tab) => (await tab.seen()).filter(({ event }) => event === 'conflict:decided').length),
      )

    await changeAndDie(service, { verb, id: record.externalId, gameId, userId: admin.id, step })
    if (isDone) await expect.poll(countTold, { timeout: 30_000 }).toEqual([1, 1])
    else {
      expect(await stored()).toEqual(record)
      expect(await countActions()).toBe(0)
      // The documents are locked until the database gives the transaction up.
      await expect
        .poll(
          async () => {
            const path = `/conflicts/vndb/${record.externalId}/${request}`
            return (await admin.post(path, { body: { gameId: String(gameId) } })).status
          },
          { timeout: 30_000 },
        )
        .toBe(200)
    }
    expect(await countActions()).toBe(1)
    await untilCaughtUp(service.deps)
    await untilCaughtUp(other.deps)
    expect(await countTold()).toEqual(verb === 'add' ? [0, 0] : [1, 1])
    for (const tab of tabs) tab.close()
  },
  120_000,
)
