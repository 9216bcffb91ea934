import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { insertNotification } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()
const [alice, bob] = [await service.caller(), await service.caller()]
const insert = () => insertNotification(service.db, { userId: new ObjectId(alice.id), type: 'comment-reply' })

it('200 with the number of unread ones, also for a notification that is gone', async () => {
  const [, _id] = [await insert(), await insert()]
  for (const path of [_id, _id, new ObjectId()].map((id) => `/notifications/${id}`)) {
    expect(await alice.delete(path)).toMatchObject({ status: 200, body: { unreadCount: 1 } })
  }
  expect(await service.db.notifications.findOne({ _id: new ObjectId(_id) })).toBeNull()
})

it('200 for a notification of another user, which stays', async () => {
  const _id = await insert()
  expect(await bob.delete(`/notifications/${_id}`)).toMatchObject({ status: 200, body: { unreadCount: 0 } })
  expect(await service.db.notifications.findOne({ _id: new ObjectId(_id) })).toMatchObject({ isRead: false })
})
