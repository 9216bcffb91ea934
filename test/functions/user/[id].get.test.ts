import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()
const alice = await service.caller({ userName: 'Alice' })
const bob = await service.caller({ userName: 'Bob', isAdmin: true })
await service.db.users.updateOne(
  { userName: 'Alice' },
  { $set: { avatar: 'https://example.com/a.png', description: 'Hi', royalGames: [new ObjectId()] } },
)

test('200 with the public profile and nothing else', async () => {
  const answer = await service.guest.get(`/user/${alice.id.toUpperCase()}`)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    _id: alice.id,
    userName: 'Alice',
    avatar: 'https://example.com/a.png',
    description: 'Hi',
    roles: ['user'],
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('200: a missing field is null, and an account without roles is a user', async () => {
  const bare = await service.caller({ userName: 'Bare' })
  await service.db.users.updateOne({ userName: 'Bare' }, { $unset: { roles: 1 } })
  const { body } = await service.guest.get(`/user/${bare.id}`)
  expect(body).toMatchObject({ avatar: null, description: null, roles: ['user'] })
  expect((await service.guest.get(`/user/${bob.id}`)).body.roles).toEqual(['user', 'admin'])
})
