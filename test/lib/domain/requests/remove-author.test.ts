import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { removeAuthor } from '#lib/domain/requests/remove-author'
import { insertRequest } from '../../../support/rows/rows.ts'
import { useService } from '../../../support/service/start-service.ts'

const { db } = await useService()

it('leaves no pending request without its author, when one is stored at the same time', async () => {
  const userId = new ObjectId()
  let isOver = false
  const late = (async () => {
    while (!isOver) await insertRequest(db, { userId })
  })()
  for (let count = 0; count < 50; count++) await removeAuthor({ db }, userId)
  isOver = true
  await late

  expect(await db.contentRequests.countDocuments({ userId: null, status: 'pending' })).toBe(0)
  await removeAuthor({ db }, userId)
  expect(await db.contentRequests.distinct('status')).toEqual(['withdrawn'])
  expect(await db.contentRequests.countDocuments({ userId })).toBe(0)
})
