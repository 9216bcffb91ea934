import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { watchConflicts } from '../support/clients/watch-conflicts.ts'
import { insertConflict } from '../support/rows/rows.ts'
import { startTwins, type TwinScene } from '../support/scenes/twin-scene.ts'

let scene: TwinScene
beforeAll(async () => {
  // Its own look-out is far away: only the other instance can wake its writer.
  scene = await startTwins({ batchLimits: { pollMs: 600_000 } }, { isWriting: true, batchLimits: { pollMs: 600_000 } })
})
afterAll(() => scene.close())

it('a decision and its batch reach the admins of both instances, and wake the writer of the other', async () => {
  const { service, other, admin } = scene
  const tabs = [await watchConflicts(service, admin), await watchConflicts(other, admin)]
  const { externalId } = await insertConflict(service.db, { source: 'igdb' })
  const decided = await admin.post(`/conflicts/igdb/${externalId}/decision`, { body: { gameId: null } })
  expect(decided.status).toBe(200)

  const payload = { source: 'igdb', externalId, state: 'queued-new', decidedBy: admin.user?.userName }
  const expected = [
    { event: 'conflict:decided', payload },
    { event: 'conflicts:applied', payload: { source: 'igdb', externalIds: [externalId] } },
  ]
  for (const tab of tabs) {
    await vi.waitUntil(async () => (await tab.seen()).length === 2, { timeout: 30_000, interval: 50 })
    expect(await tab.seen()).toEqual(expected)
    tab.close()
  }
}, 60_000)
