import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { expectIndexed, profile } from '../../support/clients/profile.ts'
import { insertGame, insertRequest } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()
const user = await service.caller()

it("200 with one's own requests of every status, newest first, whatever others have", async () => {
  expect((await user.get('/requests/mine')).body).toEqual({ results: [], total: 0 })
  const [userId, gameId] = [new ObjectId(user.id), await insertGame(service.db, { name: 'Halcyon', slug: 'halcyon' })]
  const at = (minute: number) => ({ userId, createdAt: new Date(Date.UTC(2024, 0, 1, 0, minute)) })
  const ids = [new ObjectId(), new ObjectId()].sort((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1))
  await insertRequest(service.db, { ...at(3), action: 'update', targetId: gameId, status: 'withdrawn' })
  await insertRequest(service.db, { ...at(1), status: 'approved', resultId: gameId, appliedFields: ['name'] })
  await insertRequest(service.db, { ...at(4), kind: 'character', status: 'rejected', reason: 'No such person' })
  for (const _id of ids) await insertRequest(service.db, { ...at(2), _id })
  for (let index = 0; index < 30; index++) await insertRequest(service.db)

  const { body } = await user.get('/requests/mine')
  expect(body.total).toBe(5)
  expect(body.results).toMatchObject([
    { kind: 'character', status: 'rejected', reason: 'No such person' },
    { status: 'withdrawn', targetId: gameId.toHexString(), targetName: 'Halcyon', targetSlug: 'halcyon' },
    { _id: ids[1]?.toHexString(), status: 'pending' },
    { _id: ids[0]?.toHexString() },
    { status: 'approved', appliedFields: ['name'], resultId: gameId.toHexString(), resultSlug: 'halcyon' },
  ])
  for (const row of body.results) expect(row).toMatchObject({ userId: user.id, userName: user.user?.userName })

  const second = await user.get('/requests/mine?take=2&page=2')
  expect(second.body).toEqual({ results: body.results.slice(2, 4), total: 5 })
  expect((await user.get('/requests/mine?page=9')).body).toEqual({ results: [], total: 5 })

  const commands = await profile(service.db, 'contentRequests', () => user.get('/requests/mine?take=2&page=2'))
  expect(commands).toHaveLength(3)
  expectIndexed(commands, { keys: 6, docs: 2 })
})

it('200 without the admin who is deciding', async () => {
  await insertRequest(service.db, {
    userId: new ObjectId(user.id),
    claimedAt: new Date(),
    claimedBy: new ObjectId(),
    createdAt: new Date(Date.now() + 60_000),
  })
  const [newest] = (await user.get('/requests/mine?take=1')).body.results
  expect(newest).toMatchObject({ status: 'pending' })
  expect(newest).not.toHaveProperty('claimedAt')
})
