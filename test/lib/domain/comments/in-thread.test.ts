import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { createKeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

const WAIT = { timeout: 20_000, interval: 5 }
const { run } = createKeyedQueue({ maxWaitMs: 25_000 })
let queued = 0

const { service, author, reader, gameId, insert, watch } = await useDiscussion({
  queue: {
    run(key, task, options) {
      queued += 1
      return run(key, task, { ...options, maxWaitMs: 25_000 })
    },
  },
})

/** Takes the turn of a thread until the release. */
function holdThread(threadId: object) {
  let release = () => {}
  const held = run(
    `thread:${threadId}`,
    () =>
      new Promise<void>((resolve) => {
        release = resolve
      }),
  )
  queued = 0
  return {
    untilQueued: (count: number) => vi.waitUntil(() => queued >= count, WAIT),
    release: () => {
      release()
      return held
    },
  }
}

it('a change whose client has gone before its turn is not made', async () => {
  const threadId = await insert()
  const watching = await watch()
  const thread = holdThread(threadId)
  const connected = once(service.http, 'connection')
  const left = request(`${service.baseUrl}/comments`, {
    method: 'POST',
    agent: false,
    headers: { cookie: author.cookie, 'content-type': 'application/json' },
  })
  left.on('error', () => {})
  left.end(JSON.stringify({ gameId, parentId: threadId, body: 'Gone' }))
  // The event has one argument, the socket.
  const [socket] = (await connected) as [Socket]
  await thread.untilQueued(1)
  const stays = reader.post('/comments', { body: { gameId, parentId: threadId, body: 'Here' } })
  await thread.untilQueued(2)
  left.destroy()
  await vi.waitUntil(() => socket.destroyed, WAIT)
  await thread.release()

  expect((await stays).status).toBe(201)
  const replies = await service.db.comments.find({ parentId: threadId }).toArray()
  expect(replies.map(({ body }) => body)).toEqual(['Here'])
  expect(await watching.seen()).toHaveLength(1)
  expect(service.deps.feed.isLive()).toBe(true)
})

it('429 with Retry-After for the sixth waiting change of one user at a thread, and for no other user', async () => {
  const threadId = await insert()
  const thread = holdThread(threadId)
  const waiting = Array.from({ length: 5 }, () => reader.put(`/comments/${threadId}/like`))
  await thread.untilQueued(5)
  const refused = await reader.post('/comments', { body: { gameId, parentId: threadId, body: 'Sixth' } })
  const other = author.post('/comments', { body: { gameId, parentId: threadId, body: 'Other' } })
  await thread.untilQueued(7)
  const elsewhere = await reader.put(`/comments/${await insert()}/like`)
  await thread.release()

  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(elsewhere.status).toBe(200)
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await other).status).toBe(201)
  expect((await reader.delete(`/comments/${threadId}/like`)).status).toBe(200)
})
