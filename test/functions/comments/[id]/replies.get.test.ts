import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { idsOf } from '../../../support/clients/caller.ts'
import { expectIndexed, profile } from '../../../support/clients/profile.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'
import { untilCaughtUp } from '../../../support/service/until-caught-up.ts'

const { service, author, admin, gameId, insert } = await useDiscussion()

const insertThread = async (statuses: ('visible' | 'hidden' | 'deleted')[], facts = {}) => {
  const visible = statuses.filter((status) => status === 'visible').length
  const parentId = await insert({ repliesCount: visible, ...facts })
  const replies: string[] = []
  for (const [index, status] of statuses.entries()) {
    const createdAt = new Date(Date.UTC(2024, 0, 1, 0, statuses.length - index))
    replies.push((await insert({ parentId, replyToId: parentId, status, createdAt })).toHexString())
  }
  return { parentId, oldestFirst: replies.reverse() }
}

it('200 with what the viewer may read, oldest first, in pages', async () => {
  const { parentId, oldestFirst } = await insertThread(['visible', 'hidden', 'deleted', 'visible', 'visible'])
  const [a, b, , hidden, c] = oldestFirst
  const page = (number: number) => service.guest.get(`/comments/${parentId}/replies?take=2&page=${number}`)

  expect(idsOf(await page(1))).toEqual([a, b])
  expect(idsOf(await page(2))).toEqual([c])
  expect((await page(3)).body).toEqual({ results: [], total: 3 })
  expect(idsOf(await admin.get(`/comments/${parentId}/replies`))).toEqual([a, b, hidden, c])
})

it.each(['hidden', 'deleted'] as const)(
  '200 with the replies under a %s comment, without the author of that comment',
  async (status) => {
    const { parentId, oldestFirst } = await insertThread(['visible'], { status, body: '' })
    const answer = await service.guest.get(`/comments/${parentId}/replies`)

    expect(idsOf(answer)).toEqual(oldestFirst)
    expect(answer.body.results[0].replyTo).toEqual({ _id: parentId.toHexString(), author: null })
    const asAdmin = await admin.get(`/comments/${parentId}/replies`)
    expect(asAdmin.body.results[0].replyTo.author).toEqual(
      status === 'hidden' ? { _id: author.id, userName: 'author' } : null,
    )
  },
)

it('200 with the author of the replied-to reply, also from another page', async () => {
  const { parentId, oldestFirst } = await insertThread(['visible', 'visible'])
  const answered = new ObjectId(oldestFirst[0])
  await insert({ parentId, replyToId: answered, createdAt: new Date() })
  const { body } = await service.guest.get(`/comments/${parentId}/replies?take=1&page=3`)

  expect(body.results[0].replyTo).toEqual({
    _id: answered.toHexString(),
    author: { _id: author.id, userName: 'author' },
  })
})

it('200 with a reply whose author is gone', async () => {
  const parentId = await insert({ repliesCount: 1 })
  await insert({ parentId, replyToId: parentId, userId: new ObjectId() })
  const { body } = await service.guest.get(`/comments/${parentId}/replies`)
  expect(body.results[0]).toMatchObject({ author: null, body: '<p>Hello</p>' })
})

it('200 from an index, with as many keys as rows, and then from memory until a change', async () => {
  const { parentId } = await insertThread(Array.from({ length: 30 }, () => 'visible' as const))
  await untilCaughtUp(service.deps)
  const read = () => service.guest.get(`/comments/${parentId}/replies`)
  const commands = await profile(service.db, 'comments', read)

  expect(commands).toHaveLength(2)
  expectIndexed(commands, { keys: 11 })
  expect(await profile(service.db, 'comments', read)).toEqual([])

  const { body: reply } = await author.post('/comments', { body: { gameId, parentId, body: 'Another' } })
  expect((await read()).body.total).toBe(31)
  expect(idsOf(await service.guest.get(`/comments/${parentId}/replies?page=4`))).toEqual([reply._id])
  await admin.patch(`/comments/${reply._id}/status`, { body: { status: 'hidden' } })
  expect((await read()).body.total).toBe(30)
  expect((await admin.get(`/comments/${parentId}/replies`)).body.total).toBe(31)
  const liked = idsOf(await read())[0]
  await admin.put(`/comments/${liked}/like`)
  expect((await read()).body.results[0]).toMatchObject({ likesCount: 1, isLiked: false })
  expect((await admin.get(`/comments/${parentId}/replies`)).body.results[0]).toMatchObject({ isLiked: true })
})

it('400 beyond 10,000 replies', async () => {
  const { parentId } = await insertThread(['visible'])
  expect((await service.guest.get(`/comments/${parentId}/replies?take=50&page=200`)).status).toBe(200)
  const { status, body } = await service.guest.get(`/comments/${parentId}/replies?take=50&page=201`)
  expect(status).toBe(400)
  expect(body.message).toBe('Pages end at 10000 comments')
})

it('200 with the replies around one of them, wherever that one stands, also when it is hidden', async () => {
  const statuses = Array.from({ length: 60 }, (_, index) => (index === 9 ? ('hidden' as const) : ('visible' as const)))
  const { parentId, oldestFirst } = await insertThread(statuses)
  const around = (index: number, take = 7) =>
    service.guest.get(`/comments/${parentId}/replies?take=${take}&around=${oldestFirst[index]}`)

  expect(idsOf(await around(49))).toEqual([...oldestFirst.slice(46, 50), ...oldestFirst.slice(51, 54)])
  expect(idsOf(await around(50, 5))).toEqual([...oldestFirst.slice(48, 50), ...oldestFirst.slice(51, 54)])
  expect(idsOf(await around(0))).toEqual(oldestFirst.slice(0, 4))
  expect((await around(59, 1)).body).toMatchObject({ results: [{ _id: oldestFirst[59] }], total: 59 })

  const commands = await profile(service.db, 'comments', () => around(40))
  expectIndexed(commands)
  const listed = commands.map(({ keysExamined }) => keysExamined).toSorted((a, b) => a - b)
  expect(listed.at(-2)).toBeLessThanOrEqual(6)
})

it('200 with the replies behind one of them, also of the same time, after a new reply, and when it is deleted', async () => {
  const { parentId, oldestFirst } = await insertThread(Array.from({ length: 12 }, () => 'visible' as const))
  await service.db.comments.updateMany({ parentId }, { $set: { createdAt: new Date(Date.UTC(2024, 0, 1)) } })
  const inOrder = oldestFirst.toSorted()
  const after = (index: number, take = 3) =>
    service.guest.get(`/comments/${parentId}/replies?take=${take}&after=0_2024-01-01T00:00:00.000Z_${inOrder[index]}`)

  expect((await after(0)).body.total).toBe(12)
  expect(idsOf(await after(0))).toEqual(inOrder.slice(1, 4))
  expect(idsOf(await after(11))).toEqual([])
  await service.db.comments.deleteOne({ _id: new ObjectId(inOrder[5]) })
  const commands = await profile(service.db, 'comments', async () =>
    expect(idsOf(await after(5))).toEqual(inOrder.slice(6, 9)),
  )
  expectIndexed(commands, { keys: 4 })
  const { body: reply } = await author.post('/comments', { body: { gameId, parentId, body: 'Another' } })
  expect(idsOf(await after(9))).toEqual([...inOrder.slice(10), reply._id])
})

it.each([['after=0_2024-02-30T25:00:00.000Z_aaaaaaaaaaaaaaaaaaaaaaaa'], ['after=aaaaaaaaaaaaaaaaaaaaaaaa']])(
  '400 for %s',
  async (query) => {
    const { parentId } = await insertThread(['visible'])
    const { status, body } = await service.guest.get(`/comments/${parentId}/replies?${query}`)
    expect({ status, message: body.message }).toMatchObject({ status: 400, message: /^after / })
  },
)

it('404 around a comment of another thread', async () => {
  const { parentId } = await insertThread(['visible'])
  const { oldestFirst } = await insertThread(['visible'])
  expect((await service.guest.get(`/comments/${parentId}/replies?around=${oldestFirst[0]}`)).status).toBe(404)
})
