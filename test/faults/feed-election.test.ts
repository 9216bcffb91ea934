import { afterAll, expect, it, vi } from 'vitest'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { startReplicaSetOfThree } from '../support/processes/replica-set-of-three.ts'
import { expectFinalState } from '../support/scenes/final-state.ts'
import { startTwins } from '../support/scenes/twin-scene.ts'
import { randomFrom } from '../support/tools/random.ts'

const LIMITS = { COMMENT_CHANGES_PER_MINUTE: '100000' }
const WAIT = { timeout: 90_000, interval: 100 }

const set = await startReplicaSetOfThree()
const scene = await startTwins({ mongodbUri: set.uri, env: LIMITS }, { env: LIMITS })
afterAll(async () => {
  await scene?.close()
  await set?.remove()
})

it.each([{ seed: 41 }])(
  'goes on where it was when the primary steps down, and no event is lost: seed $seed',
  async ({ seed }) => {
    const { service, other, gameId } = scene
    const random = randomFrom(seed)
    const commentIds = await Promise.all(Array.from({ length: 4 }, () => scene.insert()))
    const readers = [await watchDiscussion(service.baseUrl, gameId), await watchDiscussion(other.baseUrl, gameId)]
    const users = await Promise.all(Array.from({ length: 4 }, () => service.caller()))
    let isOver = false
    const load = users.flatMap((user) =>
      [user, scene.atOther(user)].map(async (caller) => {
        while (!isOver) {
          const path = `/comments/${commentIds[Math.floor(random() * commentIds.length)]}/like`
          const { status } = await (random() < 0.5 ? caller.put(path) : caller.delete(path))
          expect([200, 503]).toContain(status)
        }
      }),
    )
    await vi.waitUntil(async () => ((await readers[1]?.seen())?.length ?? 0) > 5, WAIT)
    await set.stepDown()
    const before = (await readers[1]?.seen())?.length ?? 0
    await vi.waitUntil(async () => ((await readers[1]?.seen())?.length ?? 0) > before + 20, WAIT)
    isOver = true
    await Promise.all(load)
    await vi.waitUntil(() => service.deps.feed.isLive() && other.deps.feed.isLive(), WAIT)
    await scene.caughtUp()

    for (const { likesCount, likedBy } of await service.db.comments.find().toArray()) {
      expect(likesCount).toBe(likedBy?.length ?? 0)
    }
    for (const reader of readers) {
      await expectFinalState(service.db, gameId, reader)
      reader.close()
    }
  },
  240_000,
)
