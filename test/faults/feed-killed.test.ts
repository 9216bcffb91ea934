import { ObjectId } from 'mongodb'
import { afterAll, expect, it, vi } from 'vitest'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { changeAndDie } from '../support/processes/spawn-change.ts'
import { insertGame } from '../support/rows/rows.ts'
import { startDiscussion } from '../support/scenes/discussion-scene.ts'

const scene = await startDiscussion()
afterAll(() => scene.service.close())

const CASES = [
  { verb: 'like', event: 'comment:likes', payload: { likesCount: 1 } },
  { verb: 'edit', event: 'comment:updated', payload: { body: 'edited', isSpoiler: false } },
  { verb: 'hide', event: 'comment:status', payload: { status: 'hidden', parentRepliesCount: null } },
  { verb: 'delete', event: 'comment:status', payload: { status: 'deleted', parentRepliesCount: null } },
  { verb: 'reply', event: 'comment:created', payload: { parentRepliesCount: 1 } },
]

it.concurrent.each(CASES)(
  '$verb: what an instance wrote before it was killed is announced by the others',
  async ({ verb, event, payload }) => {
    const gameId = await insertGame(scene.service.db)
    const commentId = await scene.insert({ gameId })
    const reader = await watchDiscussion(scene.service.baseUrl, gameId)
    const userId = verb === 'edit' ? scene.author.id : String(new ObjectId())
    await changeAndDie(scene.service, { verb, id: commentId, gameId, userId, step: 'comment:written' })
    await vi.waitUntil(async () => (await reader.seen()).length === 1, { timeout: 30_000 })

    const [seen] = await reader.seen()
    expect(seen).toMatchObject({ event, payload: { gameId: String(gameId), ...payload } })
    reader.close()
  },
  120_000,
)
