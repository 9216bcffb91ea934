import { expect, test } from 'vitest'
import { ApiError } from '../../lib/client/api-error.ts'
import type { Around } from '../../lib/client/discussion-reads.ts'
import { followDiscussion, type LiveDiscussion } from '../../lib/client/live-discussion.ts'
import type { Comment, CommentSort } from '../../lib/contract/comments.ts'
import { runSchedules } from '../support/tools/random.ts'
import { DiscussionModel, GAME, ME, OTHERS, type Viewer } from './support/discussion-model.ts'
import { serveDiscussion } from './support/serve-discussion.ts'
import { World } from './support/world.ts'

const SCHEDULES = 1_000
const SEEDS = [1, 13, 19, 21, 22]

const ignore = (error: unknown) => {
  if (!(error instanceof ApiError)) throw error
}

function act(world: World, model: DiscussionModel, store: LiveDiscussion) {
  const { comments, replies } = store.get()
  const shown = world.pick([...comments, ...Object.values(replies).flatMap((thread) => thread.comments)])
  const first = world.pick(comments)
  const actions: (() => unknown)[] = [() => store.more(), () => store.showNew()]
  if (first) {
    actions.push(
      () => store.openReplies(first._id),
      () => store.openReplies(first._id),
      () => (store.get().replies[first._id] ? store.moreReplies(first._id) : undefined),
      () => (world.random() < 0.3 ? store.closeReplies(first._id) : undefined),
    )
  }
  if (model.viewer !== 'guest') {
    actions.push(() => store.post({ body: 'x' }))
    if (shown) {
      const isMine = shown.userId === ME
      actions.push(
        () => store.post({ body: 'x', parentId: shown._id }),
        () => (isMine ? store.edit(shown._id, { body: 'x' }) : store.like(shown._id)),
        () => (isMine ? store.remove(shown._id) : store.unlike(shown._id)),
        () => (isMine ? undefined : store.report(shown._id)),
      )
      if (model.viewer === 'admin') {
        actions.push(
          () => store.setStatus(shown._id, 'hidden'),
          () => store.setStatus(shown._id, 'visible'),
          () => store.remove(shown._id),
        )
      }
    }
  }
  const done = world.pick(actions)?.()
  if (done instanceof Promise) done.catch(ignore)
}

function happen(world: World, model: DiscussionModel) {
  const row = world.pick([...model.rows.values()].filter(model.isFree))
  const user = world.pick(OTHERS) ?? ''
  const actions: (() => unknown)[] = [() => model.create(user)]
  if (row) {
    actions.push(
      () => model.create(user, { parentId: row._id }),
      () => model.create(user, { parentId: row._id }),
      () => model.like(row._id, user, true),
      () => model.like(row._id, user, false),
      () => model.setStatus(row._id, 'visible'),
      () => model.setStatus(row._id, 'visible'),
    )
    // The viewer's tab gets no event of an edit, a hiding or a deletion of a comment that waits.
    if (!model.isHolding || row.userId !== ME)
      actions.push(
        () => model.edit(row._id),
        () => model.setStatus(row._id, 'hidden'),
        () => model.setStatus(row._id, 'deleted'),
      )
  }
  try {
    world.pick(actions)?.()
  } catch (error) {
    ignore(error)
  }
}

function compare(store: LiveDiscussion, model: DiscussionModel, sort: CommentSort) {
  const { comments, unseen, hasMore, replies, status, error } = store.get()
  const fresh = model.list(sort)
  const byId = new Map(fresh.map((comment) => [comment._id, comment]))
  const shown = new Set(comments.map(({ _id }) => _id))

  const isShown = ({ _id }: Comment) => shown.has(_id)
  const threads = Object.entries(replies).map(([id, thread]) => ({ ...thread, all: model.replies(id) }))

  // One call of `expect` compares all of it, because a call costs more than the comparison.
  expect({ status, error, count: shown.size, comments, replies: threads.map((thread) => thread.comments) }).toEqual({
    status: 'ready',
    error: null,
    count: comments.length,
    comments: sort === 'new' ? fresh.filter(isShown) : comments.map(({ _id }) => byId.get(_id)),
    replies: threads.map((thread) => (thread.hasMore ? thread.all.slice(0, thread.comments.length) : thread.all)),
  })

  const last = hasMore ? fresh.findLastIndex(isShown) : fresh.length
  const isUnseen = ({ _id, status }: Comment) => !shown.has(_id) && status === 'visible'
  if ((sort === 'new' && last >= 0) || !hasMore) expect(unseen).toBe(fresh.slice(0, last).filter(isUnseen).length)
  else expect(unseen).toBeLessThanOrEqual(fresh.filter(isUnseen).length)
}

/** The first comment of the thread, and the replies around a comment with none left out between them. */
function compareThread(store: LiveDiscussion, model: DiscussionModel, { _id, parentId }: Around) {
  const { comments, replies, unseen, status, error } = store.get()
  const threadId = parentId ?? _id
  const listed = model.list('new').filter((comment) => comment._id === threadId)
  expect({ status, error, unseen, comments }).toEqual({ status: 'ready', error: null, unseen: 0, comments: listed })

  const thread = replies[threadId]
  if (thread === undefined) return
  const all = model.replies(threadId)
  const from = all.findIndex((reply) => reply._id === thread.comments[0]?._id)
  expect(thread.comments).toEqual(thread.comments.length === 0 ? [] : all.slice(from, from + thread.comments.length))
  if (parentId !== null && all.some((reply) => reply._id === _id))
    expect(thread.comments.map((reply) => reply._id)).toContain(_id)
  if (!thread.hasMore && all.length <= 50) expect(thread.comments).toHaveLength(all.length)
}

async function runSchedule(random: () => number, { isAround = false } = {}) {
  const world = new World(random)
  const viewer: Viewer = world.pick(['guest', 'user', 'admin'] as const) ?? 'guest'
  const sort: CommentSort = world.random() < 0.5 ? 'new' : 'top'
  const model = new DiscussionModel(world, viewer)
  model.isHolding = viewer === 'user' && world.random() < 0.5
  for (let n = Math.floor(world.random() * (isAround ? 30 : 8)); n > 0; n -= 1) {
    happen(world, model)
    for (const emit of model.announcements()) emit()
  }
  if (isAround && model.rows.size === 0) model.create(ME)
  const around = isAround ? world.pick([...model.rows.values()]) : undefined
  const store = followDiscussion(serveDiscussion(world, model), GAME, {
    sort,
    take: 1 + Math.floor(world.random() * 4),
    ...(around && { around }),
  })

  for (let n = 0; n < 70; n += 1) {
    const dice = world.random()
    if (dice < 0.2) happen(world, model)
    else if (dice < 0.3) act(world, model, store)
    else if (dice < 0.34) world.toggle()
    else world.pick([...world.steps(), ...model.announcements()])?.()
    await world.settle()
  }
  if (!world.isConnected) world.connect()
  await world.drain(model.announcements)
  if (around) {
    compareThread(store, model, around)
    return store.close()
  }
  compare(store, model, sort)

  store.showNew()
  await world.drain(model.announcements)
  compare(store, model, sort)
  expect(store.get().unseen).toBe(0)
  store.close()
}

test(`${SCHEDULES} schedules of each seed end with what a fresh read shows`, { timeout: 600_000 }, () =>
  runSchedules({ count: SCHEDULES, choices: 500, seeds: SEEDS }, runSchedule),
)

test('1000 schedules around a comment end with its thread, and no other', { timeout: 120_000 }, () =>
  runSchedules({ count: 1_000, choices: 500 }, (random) => runSchedule(random, { isAround: true })),
)
