import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { useDiscussion } from '../../support/scenes/discussion-scene.ts'

const { service, reader, admin, gameId, insert } = await useDiscussion()

const path = (id: ObjectId) => `/comments/${id.toHexString()}`

it("200 as the lists show it, with the viewer's own flags", async () => {
  const id = await insert({ likedBy: [new ObjectId(reader.id)], likesCount: 1 })
  await insert()
  for (const viewer of [service.guest, reader, admin]) {
    const listed = await viewer.get(`/games/${gameId.toHexString()}/comments?sort=new`)
    const { status, body } = await viewer.get(path(id))
    expect(status).toBe(200)
    expect(body).toEqual(listed.body.results.find(({ _id }: { _id: string }) => _id === id.toHexString()))
  }
  expect((await reader.get(path(id))).body.isLiked).toBe(true)
  expect((await service.guest.get(path(id))).body.isLiked).toBe(false)
})

it.each(['hidden', 'deleted'] as const)(
  '200 for a %s comment with replies, without its text and author',
  async (status) => {
    const id = await insert({ status, repliesCount: 1 })
    const { body } = await reader.get(path(id))
    expect(body).toMatchObject({ _id: id.toHexString(), status, body: '', userId: '', author: null })
    const asAdmin = await admin.get(path(id))
    expect(asAdmin.body.body === '').toBe(status === 'deleted')
  },
)

it.each(['hidden', 'deleted'] as const)('404 for a %s one without replies', async (status) => {
  const id = await insert({ status })
  expect((await reader.get(path(id))).status).toBe(404)
  expect((await admin.get(path(id))).status).toBe(status === 'hidden' ? 200 : 404)
})
