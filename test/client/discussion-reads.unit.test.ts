import { expect, test } from 'vitest'
import { readPages } from '../../lib/client/discussion-reads.ts'
import { type DiscussionOptions, followDiscussion } from '../../lib/client/live-discussion.ts'
import { DiscussionModel, GAME, ME, OTHERS } from './support/discussion-model.ts'
import { serveDiscussion } from './support/serve-discussion.ts'
import { World } from './support/world.ts'

const [OTHER = ''] = OTHERS

/** A discussion of some comments that is followed by a live socket. */
async function follow(count: number, options: DiscussionOptions) {
  const world = new World(() => 0.4)
  const model = new DiscussionModel(world, 'user')
  const announce = () => {
    for (const emit of model.announcements()) emit()
  }
  const create = (userId: string, parentId: string | null = null) => {
    const { _id } = model.create(userId, { parentId })
    announce()
    return _id
  }
  const ids = Array.from({ length: count }, () => create(OTHER))
  const store = followDiscussion(serveDiscussion(world, model), GAME, options)
  world.connect()
  await world.drain()
  return { world, model, store, ids, create, rest: () => world.drain(model.announcements) }
}

test('new comments are shown also when they are requested during another read', async () => {
  const { world, store, create, rest } = await follow(3, { sort: 'new' })
  create(OTHER)
  await rest()
  expect(store.get().unseen).toBe(1)

  store.refresh()
  await world.settle()
  store.showNew()
  await rest()
  expect(store.get().unseen).toBe(0)
  expect(store.get().comments).toHaveLength(4)
})

test('an unchanged comment keeps its object, so that a view draws the changed ones only', async () => {
  const { model, store, rest } = await follow(2, { sort: 'new' })
  const [first, second] = store.get().comments
  model.like(second?._id ?? '', ME, true)
  store.refresh()
  await rest()

  expect(store.get().comments[0]).toBe(first)
  expect(store.get().comments[1]).toEqual({ ...second, likesCount: 1, isLiked: true })
})

test('a list keeps its object when a change concerns another comment', async () => {
  const { world, store, create, ids } = await follow(2, { sort: 'new' })
  store.openReplies(ids[0] ?? '')
  await world.drain()
  const before = store.get()
  create(OTHER, ids[1])
  await world.drain()

  expect(store.get().comments).not.toBe(before.comments)
  expect(store.get().replies[ids[0] ?? '']?.comments).toBe(before.replies[ids[0] ?? '']?.comments)
})

test('an edit that arrives after a deletion leaves the removed comment empty', async () => {
  const { world, store, create, ids, rest } = await follow(1, { sort: 'new' })
  const [commentId = ''] = ids
  create(ME, commentId)
  await rest()
  const event = { gameId: GAME, commentId, parentId: null, parentRepliesCount: null }
  world.emit('comment:status', { ...event, status: 'deleted' })
  world.emit('comment:updated', { ...event, body: '<p>secret</p>', isSpoiler: false, updatedAt: '2024-01-01' })
  await world.settle()
  for (const step of world.steps()) step()
  for (const step of world.steps()) step()

  expect(store.get().comments[0]).toMatchObject({ status: 'deleted', body: '', author: null })
})

test('every row of a list is read once, although another one comes and the last one read goes meanwhile', async () => {
  let rows = Array.from({ length: 120 }, (_, at) => ({ _id: String(at), at }))
  const all = rows
  const readPage = async (take: number, last: { at: number } | undefined) => {
    const results = rows.filter(({ at }) => last === undefined || at > last.at).slice(0, take)
    rows = [{ _id: 'another', at: -rows.length }, ...rows].filter((row) => row !== results.at(-1))
    return { results, total: all.length }
  }
  expect(await readPages(readPage, { size: all.length })).toMatchObject({ rows: all, pages: 3 })
})
