import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { expectIndexed, profile } from '../../support/clients/profile.ts'
import { insertComment } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()

it('200 with visible reported comments, most reports first, from an index', async () => {
  const insert = (facts: object) =>
    insertComment(service.db, { gameId: new ObjectId(), userId: new ObjectId(), ...facts })
  for (let index = 0; index < 20; index++) await insert({})
  const two = await insert({ reportsCount: 2 })
  const five = await insert({ reportsCount: 5 })
  await insert({ reportsCount: 9, status: 'hidden' })
  await insert({ reportsCount: 9, status: 'deleted' })
  const admin = await service.caller({ isAdmin: true })
  const { body } = await admin.get('/comments/reported?take=1')

  expect(body.total).toBe(2)
  expect(body.results).toMatchObject([{ _id: five.toHexString(), reportsCount: 5 }])
  const next = await admin.get('/comments/reported?take=1&page=2')
  expect(next.body.results).toMatchObject([{ _id: two.toHexString(), reportsCount: 2 }])

  const commands = await profile(service.db, 'comments', () => admin.get('/comments/reported'))
  expect(commands).toHaveLength(2)
  expectIndexed(commands, { keys: 3 })
})
