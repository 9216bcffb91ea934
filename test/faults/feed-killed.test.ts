import { fileURLToPath } from 'node:url'
import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { startProgram } from '../support/processes/start-program.ts'
import { insertGame } from '../support/rows/rows.ts'
import { type DiscussionScene, startDiscussion } from '../support/scenes/discussion-scene.ts'

const PROGRAM = fileURLToPath(new URL('../support/processes/change-and-die.ts', import.meta.url))

let scene: DiscussionScene
beforeAll(async () => {
  scene = await startDiscussion()
})
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
    const { PATH = '' } = process.env
    const { ended } = startProgram(
      process.execPath,
      ['--import', 'tsx', PROGRAM, verb, String(commentId), String(gameId), userId],
      { cwd: process.cwd(), env: { PATH, MONGODB_URI: scene.service.mongodbUri } },
    )
    expect(await ended).toMatchObject({ signal: 'SIGKILL' })
    await vi.waitUntil(async () => (await reader.seen()).length === 1, { timeout: 30_000 })

    const [seen] = await reader.seen()
    expect(seen).toMatchObject({ event, payload: { gameId: String(gameId), ...payload } })
    reader.close()
  },
  120_000,
)
