import { MongoNetworkError, ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { DomainError } from '#lib/base/errors'
import { changeEach } from '#lib/domain/comments/change-each'

const found = Array.from({ length: 4 }, () => ({ _id: new ObjectId() }))
const ids = found.map(({ _id }) => _id.toHexString())

it('changeEach reports a lost answer to the feed, leaves out what is gone, and throws a failure at the end', async () => {
  const failures = [new DomainError('NOT_FOUND', 'gone'), new MongoNetworkError('cut'), new Error('odd'), null]
  const changed: string[] = []
  const lostSince: number[] = []
  const startedAt = performance.now()
  const changes = changeEach({ feed: { answerLost: (at) => void lostSince.push(at) } }, found, {
    limit: 1,
    mayGoOn: () => true,
    async change({ commentId }) {
      changed.push(commentId)
      const failure = failures[changed.length - 1]
      if (failure) throw failure
    },
  })

  await expect(changes).rejects.toThrow('cut')
  expect(changed).toEqual(ids)
  expect(lostSince).toEqual([expect.any(Number)])
  expect(lostSince[0]).toBeGreaterThanOrEqual(startedAt)
})

it('changeEach changes nothing more once the job may not go on', async () => {
  const changed: string[] = []
  const mayGoOn = () => changed.length < 2
  const change = async ({ commentId }: { commentId: string }) => void changed.push(commentId)
  await changeEach({ feed: { answerLost: () => {} } }, found, { limit: 1, mayGoOn, change })
  expect(changed).toEqual(ids.slice(0, 2))
})
