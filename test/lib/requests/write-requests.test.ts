import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContentRequestDocument } from '../../../lib/db/collections/content-requests.ts'
import { createRequestWrites } from '../../../lib/requests/write-requests.ts'
import { startService, type TestService } from '../../support/service/start-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const pending = (userId: ObjectId, slot: number): ContentRequestDocument => ({
  _id: new ObjectId(),
  kind: 'game',
  action: 'add',
  status: 'pending',
  targetId: null,
  payload: { name: 'Halcyon' },
  userId,
  slot,
  createdAt: new Date(),
  updatedAt: new Date(),
})

test('of requests that arrive at once each has its own answer, and one that is refused stops no other', async () => {
  const write = createRequestWrites(service.db)
  const [alice, bob] = [new ObjectId(), new ObjectId()]
  const earlier = pending(alice, 0)
  const again = { ...pending(bob, 7), _id: earlier._id }
  expect(await write(earlier)).toEqual({ outcome: 'written' })

  const requests = [pending(alice, 0), pending(alice, 1), pending(alice, 1), pending(bob, 0), again, pending(bob, 1)]
  const results = await Promise.all(requests.map(write))
  expect(results).toEqual([
    { outcome: 'slot-taken' },
    { outcome: 'written' },
    { outcome: 'slot-taken' },
    { outcome: 'written' },
    { outcome: 'failed', error: expect.objectContaining({ code: 11_000 }) },
    { outcome: 'written' },
  ])
  const stored = await service.db.contentRequests.find({ userId: { $in: [alice, bob] } }).toArray()
  expect(stored.map(({ userId, slot }) => [userId.equals(alice) ? 'alice' : 'bob', slot])).toEqual([
    ['alice', 0],
    ['alice', 1],
    ['bob', 0],
    ['bob', 1],
  ])
})

test('a database that refuses the command as a whole refuses each', async () => {
  const write = createRequestWrites(service.db)
  // No document of the database has more than 16 MB.
  const tooLarge = { ...pending(new ObjectId(), 0), payload: { name: 'x'.repeat(17 * 1024 * 1024) } }
  const results = await Promise.allSettled([tooLarge, pending(new ObjectId(), 0)].map(write))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
