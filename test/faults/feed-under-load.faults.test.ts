import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { startReplicaSetOfThree } from '../support/processes/replica-set-of-three.ts'
import { expectFinalState } from '../support/scenes/final-state.ts'
import { startTwins } from '../support/scenes/twin-scene.ts'
import { randomFrom } from '../support/tools/random.ts'

const LIMITS = { COMMENT_CHANGES_PER_MINUTE: '100000' }
const WAIT = { timeout: 90_000, interval: 50 }
/** The pause between two changes of a user, who would occupy the machine otherwise. */
const PAUSE_MS = 10

it('every socket of two instances under load ends with the final state when the primary steps down', async () => {
  const { uri, stepDown, remove } = await startReplicaSetOfThree()
  const scene = await startTwins({ mongodbUri: uri, env: LIMITS }, { env: LIMITS })
  const { service, other, gameId } = scene
  const random = randomFrom(21)
  const commentIds = await Promise.all(Array.from({ length: 4 }, () => scene.insert()))
  const [here, there] = await scene.watchBoth(gameId)
  const users = await Promise.all(Array.from({ length: 4 }, () => service.caller()))
  let isOver = false
  const load = users.flatMap((user) =>
    [user, scene.atOther(user)].map(async (caller) => {
      while (!isOver) {
        const path = `/comments/${commentIds[Math.floor(random() * commentIds.length)]}/like`
        const { status } = await (random() < 0.5 ? caller.put(path) : caller.delete(path))
        expect([200, 503]).toContain(status)
        await sleep(PAUSE_MS)
      }
    }),
  )
  const untilMore = async () => {
    const before = (await there.seen()).length
    await vi.waitUntil(async () => (await there.seen()).length > before + 20, WAIT)
  }
  await untilMore()
  await stepDown()
  await untilMore()
  isOver = true
  await Promise.all(load)
  await vi.waitUntil(() => service.deps.feed.isLive() && other.deps.feed.isLive(), WAIT)
  await scene.caughtUp()

  for (const { likesCount, likedBy } of await service.db.comments.find().toArray()) {
    expect(likesCount).toBe(likedBy?.length ?? 0)
  }
  for (const reader of [here, there]) {
    await expectFinalState(service.db, gameId, reader)
  }
  await scene.close()
  await remove()
})
