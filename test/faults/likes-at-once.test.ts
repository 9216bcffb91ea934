import type { ObjectId } from 'mongodb'
import { afterAll, expect, test } from 'vitest'
import type { Caller } from '../support/clients/caller.ts'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { insertGame } from '../support/rows/rows.ts'
import { expectFinalState } from '../support/scenes/final-state.ts'
import { startTwins } from '../support/scenes/twin-scene.ts'
import { randomFrom } from '../support/tools/random.ts'

const USERS = 100
const COMMENTS = 10
const ROUNDS = 4
const LIMITS = { COMMENT_CHANGES_PER_MINUTE: '100000' }

const scene = await startTwins({ env: LIMITS, timeoutMs: 60_000 }, { env: LIMITS, timeoutMs: 60_000 })
const users: Caller[] = []
// One by one: so many at once would wait for connections longer than the service lets anybody wait.
while (users.length < USERS) users.push(await scene.service.caller())
afterAll(() => scene.close())

const insertComments = (gameId: ObjectId) =>
  Promise.all(Array.from({ length: COMMENTS }, async () => String(await scene.insert({ gameId }))))

test.each([{ seed: 3 }])(
  '100 users who like and unlike at once at two instances: seed $seed',
  async ({ seed }) => {
    const random = randomFrom(seed)
    const gameId = await insertGame(scene.service.db)
    const ids = await insertComments(gameId)
    const [here, there] = await Promise.all(
      [scene.service, scene.other].map(({ baseUrl }) => watchDiscussion(baseUrl, gameId)),
    )
    // Each user's own likes come one after another, so that what must be stored of them is known.
    const wanted = new Map(ids.map((id) => [id, new Set<string>()]))
    const plans = users.map((user) =>
      Array.from({ length: ROUNDS }, () => {
        const id = ids[Math.floor(random() * COMMENTS)] ?? ''
        return { id, isActive: random() < 0.6, caller: random() < 0.5 ? user : scene.atOther(user) }
      }),
    )
    await Promise.all(
      plans.map(async (plan, index) => {
        const me = users[index]?.id ?? ''
        for (const { id, isActive, caller } of plan) {
          const path = `/comments/${id}/like`
          const { status, body } = isActive ? await caller.put(path) : await caller.delete(path)
          expect({ status, isActive: body.isActive }).toEqual({ status: 200, isActive })
          // The own vote is in the count of its answer.
          expect(body.count).toBeGreaterThanOrEqual(isActive ? 1 : 0)
          if (isActive) wanted.get(id)?.add(me)
          else wanted.get(id)?.delete(me)
        }
      }),
    )
    await scene.caughtUp()

    const stored = await scene.service.db.comments.find({ gameId }).toArray()
    const likers = stored.map(({ _id, likedBy = [] }) => [String(_id), likedBy.map(String).sort()] as const)
    expect(new Map(likers)).toEqual(new Map([...wanted].map(([id, voters]) => [id, [...voters].sort()])))
    for (const { likesCount, likedBy } of stored) expect(likesCount).toBe(likedBy?.length)
    for (const reader of [here, there]) {
      if (reader) await expectFinalState(scene.service.db, gameId, reader)
      reader?.close()
    }
  },
  120_000,
)
