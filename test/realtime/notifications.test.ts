import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { Notification } from '../../lib/contract/notifications.ts'
import { notifyModeration } from '../../lib/domain/notifications/notify-moderation.ts'
import { type Caller, createCaller } from '../support/clients/caller.ts'
import { openClient, untilConnected } from '../support/clients/clients.ts'
import { insertComment, insertGame, insertNotification } from '../support/rows/rows.ts'
import { type TestService, useService } from '../support/service/start-service.ts'
import { untilCaughtUp } from '../support/service/until-caught-up.ts'

const service = await useService()
const other = await useService({ mongodbUri: service.mongodbUri, timeoutMs: 12_000 })
const gameId = await insertGame(service.db, { name: 'Lantern Keep' })

type Received = { unreadCount: number; notification?: Notification }

async function listen(at: TestService, { cookie }: Caller, query = {}) {
  const socket = openClient(at.baseUrl, '/notifications', { cookie, query })
  const received: Received[] = []
  socket.onAny((_event, payload: Received) => received.push(payload))
  await untilConnected(socket)
  return received
}

const hide = (userId: string, comment = new ObjectId()) =>
  service.db.transaction((session) =>
    notifyModeration(
      service.deps,
      { user: { _id: new ObjectId(), userName: 'root', isAdmin: true } },
      { _id: comment, gameId, userId: new ObjectId(userId), status: 'hidden' },
      session,
    ),
  )

it('a notification reaches every tab of the user, at either instance, and nobody else', async () => {
  const [alice, bob] = [await service.caller(), await service.caller()]
  const tabs = [await listen(service, alice), await listen(other, alice)]
  const foreign = await listen(service, bob)
  await hide(alice.id)

  const [row] = (await alice.get('/notifications')).body.items
  for (const received of tabs)
    await expect.poll(() => received).toEqual([{ notification: row, unreadCount: 1 }, { unreadCount: 1 }])
  expect(foreign).toEqual([])
})

it('the count is sent after reading and removing in another tab, in the order of the writes', async () => {
  const alice = await service.caller()
  const atOther = createCaller({ baseUrl: other.baseUrl, user: alice.user })
  const tabs = [await listen(service, alice), await listen(other, alice)]
  await hide(alice.id)
  await hide(alice.id)
  const [newest, oldest] = (await alice.get('/notifications')).body.items
  expect((await atOther.patch('/notifications/read', { body: { ids: [newest._id] } })).body).toEqual({ unreadCount: 1 })
  expect((await alice.delete(`/notifications/${oldest._id}`)).body).toEqual({ unreadCount: 0 })
  await hide(alice.id)
  await atOther.delete(`/notifications/${newest._id}`)
  const [last] = (await alice.get('/notifications')).body.items

  for (const received of tabs) {
    const sent = () => received.flatMap(({ notification }) => notification?._id ?? [])
    await expect.poll(sent).toEqual([oldest._id, newest._id, last._id])
    await expect.poll(() => received.at(-1)).toEqual({ unreadCount: 1 })
  }
})

it('a notification that grew is sent again', async () => {
  const alice = await service.caller()
  const received = await listen(other, alice)
  const comment = new ObjectId()
  await hide(alice.id, comment)
  await hide(alice.id, comment)
  const sent = () => received.flatMap(({ notification }) => notification ?? [])

  const { items } = (await alice.get('/notifications')).body
  await expect.poll(() => sent().slice(-1)).toEqual(items)
  await expect.poll(() => received.at(-1)).toEqual({ unreadCount: 1 })
  expect(new Set(sent().map(({ _id }) => _id)).size).toBe(1)
})

it('only sockets with types=all get a decided report and a suspension, and count them', async () => {
  const alice = await service.caller()
  const userId = new ObjectId(alice.id)
  const common = [await listen(service, alice), await listen(other, alice, { types: 'some' })]
  const all = [await listen(service, alice, { types: 'all' }), await listen(other, alice, { types: 'all' })]
  const suspension = { until: null, reason: 'Spam' }
  await insertNotification(service.db, { userId, type: 'report-decided', facts: { outcome: 'kept' } })
  await insertNotification(service.db, { userId, type: 'account-suspended', facts: suspension })
  for (const received of all) await expect.poll(() => received.at(-1)).toEqual({ unreadCount: 2 })
  await hide(alice.id)

  for (const received of all) {
    const types = () => received.flatMap(({ notification }) => notification?.type ?? [])
    await expect.poll(types).toEqual(['report-decided', 'account-suspended', 'comment-moderated'])
    await expect.poll(() => received.at(-1)).toEqual({ unreadCount: 3 })
  }
  const [row] = (await alice.get('/notifications')).body.items
  for (const received of common) {
    await expect.poll(() => received).toEqual([{ notification: row, unreadCount: 1 }, { unreadCount: 1 }])
  }
})

it('reports:changed is sent to admins at either instance after reports and decisions, and to nobody else', async () => {
  const root = await service.caller({ isAdmin: true })
  const [alice, bob] = [await service.caller(), await service.caller()]
  const tabs = [await listen(service, root), await listen(other, root, { types: 'all' })]
  const foreign = [await listen(service, alice), await listen(other, alice, { types: 'all' })]
  const commentId = String(await insertComment(service.db, { gameId, userId: new ObjectId(bob.id) }))
  const untilSent = async (count: number) => {
    for (const received of tabs) await expect.poll(() => received).toEqual(Array(count).fill({ commentId }))
  }
  await alice.post(`/comments/${commentId}/report`)
  await untilSent(1)
  await alice.post(`/comments/${commentId}/report`)
  await root.post(`/reports/${commentId}/decision`, { body: { action: 'keep' } })
  await untilSent(2)
  await root.patch(`/comments/${commentId}/status`, { body: { status: 'hidden' } })
  await root.delete(`/comments/${commentId}`)
  await untilCaughtUp(other.deps)
  await untilSent(2)
  for (const received of foreign) expect(received.filter((event) => 'commentId' in event)).toEqual([])
})
