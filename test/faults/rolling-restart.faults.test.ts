import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { type Caller, createCaller } from '../support/clients/caller.ts'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { useDiscussion } from '../support/scenes/discussion-scene.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { untilCaughtUp } from '../support/service/until-caught-up.ts'
import { randomFrom } from '../support/tools/random.ts'

/** Between the changes of a user, which would occupy the machine otherwise. */
const PAUSE_MS = 10
const LIMITS = { COMMENTS_PER_MINUTE: '100000', COMMENT_CHANGES_PER_MINUTE: '100000' }

const scene = await useDiscussion({ env: LIMITS })

/** Stands for a balancer: each request goes to some instance that is up, and to another one when that is gone. */
function createBalancer(random: () => number) {
  const up = new Set<TestService>()
  return {
    up,
    async like({ user }: Caller, commentId: ObjectId, isActive: boolean) {
      for (;;) {
        const instances = [...up]
        const instance = instances[Math.floor(random() * instances.length)]
        if (instance === undefined) throw new Error('no instance is up')
        const caller = createCaller({ baseUrl: instance.baseUrl, ...(user && { user }) })
        const path = `/comments/${commentId}/like`
        const answer = await (isActive ? caller.put(path) : caller.delete(path)).catch(() => null)
        if (answer?.status === 200) return
      }
    },
  }
}

it('a rolling restart under load loses no write and leaves every client whole', async () => {
  const random = randomFrom(31)
  const balancer = createBalancer(random)
  const { service, gameId } = scene
  const start = () => startService({ mongodbUri: service.mongodbUri, env: LIMITS, timeoutMs: 12_000 })
  let instances = [await start(), await start()]
  for (const instance of instances) balancer.up.add(instance)
  const commentIds = await Promise.all(Array.from({ length: 5 }, () => scene.insert()))
  const reader = await watchDiscussion(service.baseUrl, gameId)
  const users = await Promise.all(Array.from({ length: 8 }, () => service.caller()))

  /** Last request of each user. */
  const wishes = new Map<string, boolean>()
  let isOver = false
  const load = users.map(async (user) => {
    while (!isOver) {
      const commentId = commentIds[Math.floor(random() * commentIds.length)] as ObjectId
      const isActive = random() < 0.6
      await balancer.like(user, commentId, isActive)
      wishes.set(`${user.id}/${commentId}`, isActive)
      await sleep(PAUSE_MS)
    }
  })
  for (let round = 0; round < 2; round++) {
    for (const [index, old] of instances.entries()) {
      const next = await start()
      balancer.up.add(next)
      balancer.up.delete(old)
      await old.close()
      instances = instances.with(index, next)
    }
  }
  isOver = true
  await Promise.all(load)
  await untilCaughtUp(service.deps)

  const seen = await reader.seen()
  for (const _id of commentIds) {
    const stored = await service.db.comments.findOne({ _id })
    const wished = users.filter(({ id }) => wishes.get(`${id}/${_id}`)).map(({ id }) => id)
    expect((stored?.likedBy ?? []).map(String).sort()).toEqual(wished.sort())
    expect(seen.findLast(({ payload }) => payload.commentId === String(_id))?.payload.likesCount).toBe(wished.length)
  }
  reader.close()
  for (const instance of instances) await instance.close()
}, 180_000)
