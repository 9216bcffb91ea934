import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { idsOf } from '../support/clients/caller.ts'
import { expectIndexed, profile } from '../support/clients/profile.ts'
import { insertComment } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()

it('200 with all comments, newest first, by status and author, from an index', async () => {
  const admin = await service.caller({ isAdmin: true })
  const [userId, gameId] = [new ObjectId(), new ObjectId()]
  const ids: string[] = []
  for (let n = 0; n < 30; n++) {
    const facts = {
      userId: n % 3 ? new ObjectId() : userId,
      status: n % 2 ? ('hidden' as const) : ('visible' as const),
    }
    ids.unshift(String(await insertComment(service.db, { gameId, ...facts, createdAt: new Date(n * 1_000) })))
  }
  const list = async (query: string) => {
    const answer = await admin.get(`/comments?${query}`)
    return { total: answer.body.total, ids: idsOf(answer) }
  }
  const ofUser = ids.filter((_, at) => at % 3 === 2)

  expect(await list('take=4&page=2')).toEqual({ total: 30, ids: ids.slice(4, 8) })
  expect(await list('take=50&status=hidden')).toEqual({ total: 15, ids: ids.filter((_, at) => at % 2 === 0) })
  expect(await list(`userId=${userId}&take=3`)).toEqual({ total: 10, ids: ofUser.slice(0, 3) })
  expect(await list(`userId=${userId}&status=deleted`)).toEqual({ total: 0, ids: [] })
  expect((await admin.get('/comments?page=1000&take=50')).status).toBe(400)
  for (const query of ['take=3', 'take=3&status=hidden', `take=3&userId=${userId}`])
    expectIndexed(await profile(service.db, 'comments', () => list(query)), { keys: 17, docs: 3 })
})
