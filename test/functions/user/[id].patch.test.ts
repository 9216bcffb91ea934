import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { insertComment, insertGame } from '../../support/rows/rows.ts'
import { useApprovalsScene } from '../../support/scenes/approvals-scene.ts'

const { service, host } = await useApprovalsScene()
const { users } = service.db

it('200 with description and a copied avatar, which comments show; the replaced one is deleted', async () => {
  const user = await service.caller()
  const userId = new ObjectId(user.id)
  const gameId = await insertGame(service.db)
  await insertComment(service.db, { gameId, userId })
  const path = `/user/${user.id}`
  const first = await user.patch(path, { body: { description: '  Plays <old> games ', avatar: host.link('png/1') } })

  expect(first).toMatchObject({ status: 200, body: { description: 'Plays <old> games' } })
  const { avatar } = first.body
  expect(avatar).toMatch(new RegExp(`/files/avatars/${user.id}/[0-9a-f]{24}$`))
  const fileOf = (address: string) => service.guest.get(new URL(address).pathname)
  expect((await fileOf(avatar)).headers.get('content-type')).toBe('image/png')
  const comments = async () => (await service.guest.get(`/games/${gameId}/comments`)).body.results
  expect((await comments())[0].author).toEqual({ _id: user.id, userName: user.user?.userName, avatar })

  const second = (await user.patch(path, { body: { avatar: host.link('jpeg/2') } })).body
  expect(second).toMatchObject({ description: 'Plays <old> games', avatar: expect.not.stringContaining(avatar) })
  expect((await fileOf(avatar)).status).toBe(404)
  expect((await user.patch(path, { body: { avatar: null, description: '' } })).body).toMatchObject({
    avatar: null,
    description: null,
  })
  expect((await fileOf(second.avatar)).status).toBe(404)
  expect(await users.findOne({ _id: userId }, { projection: { avatar: 1, avatarUploads: 1 } })).toEqual({
    _id: userId,
    avatarUploads: [],
  })
  expect((await comments())[0].author).not.toHaveProperty('avatar')
})

it('400 that names the field for an image that cannot be copied, and changes nothing', async () => {
  const user = await service.caller()
  const answer = await user.patch(`/user/${user.id}`, { body: { avatar: host.link('html'), description: 'New' } })

  expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'avatar' }] } })
  expect(await users.findOne({ _id: new ObjectId(user.id) })).not.toHaveProperty('description')
  for (const body of [{}, { avatar: 'no link' }, { description: 'x'.repeat(1_001) }]) {
    expect((await user.patch(`/user/${user.id}`, { body })).status).toBe(400)
  }
})

it('403 for the profile of somebody else, for admins too', async () => {
  const [user, admin] = [await service.caller(), await service.caller({ isAdmin: true })]

  expect((await admin.patch(`/user/${user.id}`, { body: { description: 'x' } })).status).toBe(403)
})

it('200: a change deletes the upload that a killed change has left', async () => {
  const user = await service.caller()
  const left = `avatars/${user.id}/${ObjectId.createFromTime(1_000_000_000)}` as const
  await service.deps.storage.put(left, { bytes: Buffer.from('left'), type: 'image/png' })
  await users.updateOne({ _id: new ObjectId(user.id) }, { $set: { avatarUploads: [left] } })
  await user.patch(`/user/${user.id}`, { body: { avatar: host.link('png/3') } })

  expect((await service.guest.get(`/files/${left}`)).status).toBe(404)
})
