import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { idsOf } from '../../../support/clients/caller.ts'
import { expectIndexed, type ProfiledCommand, profile } from '../../../support/clients/profile.ts'
import { insertComment, insertGame } from '../../../support/rows/rows.ts'
import { useService } from '../../../support/service/start-service.ts'
import { untilCaughtUp } from '../../../support/service/until-caught-up.ts'

const service = await useService()
const author = await service.caller({ userName: 'author' })
const admin = await service.caller({ isAdmin: true })

const insert = (gameId: ObjectId, facts = {}) =>
  insertComment(service.db, { gameId, userId: new ObjectId(author.id), ...facts })
const minute = (number: number) => new Date(Date.UTC(2024, 0, 1, 0, number))

it('200 with the best first by default, the newest of equals first, or the newest first', async () => {
  const gameId = await insertGame(service.db)
  const old = (await insert(gameId, { likesCount: 1, createdAt: minute(1) })).toHexString()
  const loved = (await insert(gameId, { likesCount: 9, createdAt: minute(2) })).toHexString()
  const recent = (await insert(gameId, { likesCount: 1, createdAt: minute(3) })).toHexString()
  await insert(await insertGame(service.db))

  expect(idsOf(await service.guest.get(`/games/${gameId}/comments`))).toEqual([loved, recent, old])
  expect(idsOf(await service.guest.get(`/games/${gameId}/comments?sort=new`))).toEqual([recent, loved, old])
  const page = await service.guest.get(`/games/${gameId}/comments?take=1&page=2`)
  expect(page.body).toMatchObject({ results: [{ _id: recent }], total: 3 })
})

it('200: a hidden or deleted comment is a placeholder above visible replies, or absent', async () => {
  const gameId = await insertGame(service.db)
  const facts = { body: '<p>Secret</p>' }
  await insert(gameId, { ...facts, status: 'hidden' })
  await insert(gameId, { ...facts, status: 'deleted' })
  const hidden = await insert(gameId, { ...facts, status: 'hidden', repliesCount: 1, likesCount: 2 })
  const deleted = await insert(gameId, { ...facts, status: 'deleted', repliesCount: 1, likesCount: 1 })
  await insert(gameId, { parentId: hidden, replyToId: hidden })
  const placeholder = { body: '', userId: '', author: null, repliesCount: 1 }

  for (const caller of [service.guest, author]) {
    const { body } = await caller.get(`/games/${gameId}/comments`)
    expect(body.total).toBe(2)
    expect(body.results).toMatchObject([
      { _id: hidden.toHexString(), status: 'hidden', ...placeholder },
      { _id: deleted.toHexString(), status: 'deleted', ...placeholder },
    ])
  }
  const asAdmin = (await admin.get(`/games/${gameId}/comments`)).body
  expect(asAdmin.total).toBe(3)
  expect(asAdmin.results.map((row: { status: string; body: string }) => [row.status, row.body])).toEqual([
    ['hidden', '<p>Secret</p>'],
    ['deleted', ''],
    ['hidden', '<p>Secret</p>'],
  ])
})

it('200: the total counts every write at once, for readers and admins', async () => {
  const gameId = await insertGame(service.db)
  const totals = async () => [
    (await service.guest.get(`/games/${gameId}/comments`)).body.total,
    (await admin.get(`/games/${gameId}/comments`)).body.total,
  ]
  expect(await totals()).toEqual([0, 0])
  const { body: top } = await author.post('/comments', { body: { gameId, body: 'Hello' } })
  expect(await totals()).toEqual([1, 1])
  await admin.patch(`/comments/${top._id}/status`, { body: { status: 'hidden' } })
  expect(await totals()).toEqual([0, 1])
  await admin.patch(`/comments/${top._id}/status`, { body: { status: 'visible' } })
  const { body: reply } = await author.post('/comments', { body: { gameId, body: 'Hello', parentId: top._id } })
  await author.delete(`/comments/${top._id}`)
  expect(await totals()).toEqual([1, 1])
  await author.delete(`/comments/${reply._id}`)
  expect(await totals()).toEqual([0, 0])
})

it('200 with an empty list for an unknown game', async () => {
  expect((await service.guest.get(`/games/${new ObjectId()}/comments`)).body).toEqual({ results: [], total: 0 })
})

it.each(['top', 'new'])('200 from an index by %s, with as many keys as rows', async (sort) => {
  const gameId = await insertGame(service.db)
  for (let index = 0; index < 40; index++) await insert(gameId, { likesCount: index % 7, createdAt: minute(index) })
  const list = () => service.guest.get(`/games/${gameId}/comments?sort=${sort}`)
  const commands = sortByKeys(await profile(service.db, 'comments', list))

  expect(commands.length).toBeGreaterThan(1)
  expectIndexed(commands.slice(0, 1), { keys: 11 })
  expectIndexed(commands, { keys: 42 })
  // The feed drops the cached page when it brings the inserts, at any time.
  await expect.poll(() => profile(service.db, 'comments', list)).toHaveLength(0)
})

it.each(['top', 'new'])(
  '200 with the rows after a row by %s, also when it has equals, moved or was removed',
  async (sort) => {
    const gameId = await insertGame(service.db)
    const other = await insertGame(service.db)
    for (let index = 0; index < 20; index++)
      await insert(index < 16 ? gameId : other, { likesCount: index % 2, createdAt: minute(Math.floor(index / 4)) })
    const list = (query: string) => service.guest.get(`/games/${gameId}/comments?sort=${sort}&take=3&${query}`)
    const all = await service.guest.get(`/games/${gameId}/comments?sort=${sort}&take=50`)
    const listed = idsOf(all)
    const behind = (index: number) => {
      const { likesCount, createdAt, _id } = all.body.results[index]
      return list(`after=${likesCount}_${createdAt}_${_id}`)
    }
    for (let index = 0; index < 16; index++)
      expect(idsOf(await behind(index))).toEqual(listed.slice(index + 1, index + 4))
    expect((await behind(7)).body.total).toBe(16)

    await admin.put(`/comments/${listed[10]}/like`)
    await admin.delete(`/comments/${listed[11]}`)
    expect(idsOf(await behind(10))).toEqual(listed.slice(12, 15))
    expect(idsOf(await behind(11))).toEqual(listed.slice(12, 15))
    await untilCaughtUp(service.deps)
    const commands = sortByKeys(await profile(service.db, 'comments', () => behind(12)))
    expectIndexed(commands.slice(0, 1), { keys: 4 })
  },
)

const sortByKeys = (commands: ProfiledCommand[]) => commands.toSorted((a, b) => a.keysExamined - b.keysExamined)
