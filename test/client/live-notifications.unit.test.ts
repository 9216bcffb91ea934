import { expect, test } from 'vitest'
import { followNotifications } from '../../lib/client/live-notifications.ts'
import type { SessionState } from '../../lib/client/session.ts'
import { createStore } from '../../lib/client/store.ts'
import { World } from './support/world.ts'

const user = { userId: 'a'.repeat(24), userName: 'alice', roles: ['user' as const] }
const items = [{ _id: 'b'.repeat(24), updatedAt: '2026-01-01T00:00:00.000Z' }]

test('an answer that comes after the sign-out shows the next person nothing', async () => {
  const world = new World(Math.random)
  const session = createStore<SessionState>({ status: 'signed-in', user })
  const answers: (() => void)[] = []
  const live = followNotifications({
    // The store reads these fields alone.
    call: (() =>
      new Promise((resolve) => answers.push(() => resolve({ items, unreadCount: 1, nextCursor: null })))) as never,
    // The world sends every event to every namespace.
    socket: { on: world.on as never, connection: world.connection, close: () => {} },
    session,
  })
  const answerAll = async () => {
    for (const answer of answers.splice(0)) answer()
    await Promise.resolve()
  }
  world.connect()
  await answerAll()
  await expect.poll(() => live.get()).toMatchObject({ status: 'ready', rows: items, unreadCount: 1 })

  live.refresh()
  session.set({ status: 'signed-out', user: null })
  expect(answers).toHaveLength(1)
  await answerAll()
  await new Promise(setImmediate)
  expect(live.get()).toMatchObject({ status: 'closed', rows: [], unreadCount: 0 })
  live.close()
})
