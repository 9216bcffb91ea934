import { type Filter, ObjectId } from 'mongodb'
import { MAX_TIME_MS, UNCOUNTED_AFTER_MS } from '../concurrency/timeouts.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { parseSaid, toSaid } from '../events/announcement.ts'
import { announceAgain } from './announce-again.ts'
import { dropDiscussion } from './caches.ts'
import { countReply } from './count-reply.ts'
import type { CommentsDeps } from './deps.ts'
import { toThreadQueueKey } from './thread-queue-key.ts'

type Thread = Pick<CommentDocument, '_id' | 'gameId'>
type Uncounted = Pick<CommentDocument, '_id' | 'gameId' | 'parentId' | 'status' | 'visibilityChange' | 'rev' | 'said'>

const MAX_REPAIRED = 32

/** The note on a reply whose count follows in a command of its own; older releases write none. */
const IS_NOTED = /"threadId":/

interface Counts {
  stored: number | null
  visible: number
  countedChanges: readonly ObjectId[]
}

async function readCounts({ db: { comments } }: CommentsDeps, { _id }: Thread): Promise<Counts | null> {
  const thread = await comments.findOne(
    { _id },
    { projection: { repliesCount: 1, countedChanges: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (thread === null) return null
  const visible = await comments.countDocuments({ parentId: _id, status: 'visible' }, { maxTimeMS: MAX_TIME_MS })
  // An older release may have stored no count.
  return { stored: thread.repliesCount ?? null, visible, countedChanges: thread.countedChanges ?? [] }
}

/** Finds the replies whose last change the count does not have, the newest changes first. */
async function findUncounted(
  { db: { comments } }: CommentsDeps,
  { _id }: Thread,
  { stored, visible, countedChanges }: Counts,
): Promise<Uncounted[]> {
  const missing = visible - (stored ?? 0)
  const isTooMany = missing < 0
  return await comments
    .aggregate<Uncounted>(
      [
        { $match: { parentId: _id, status: isTooMany ? { $ne: 'visible' } : 'visible' } },
        { $set: { change: isTooMany ? '$visibilityChange' : { $ifNull: ['$visibilityChange', '$_id'] } } },
        { $match: { change: { $type: 'objectId', $nin: countedChanges }, said: IS_NOTED } },
        { $sort: { change: -1 } },
        { $limit: Math.min(Math.abs(missing), MAX_REPAIRED) },
        { $project: { gameId: 1, parentId: 1, status: 1, visibilityChange: 1, rev: 1, said: 1 } },
      ],
      { maxTimeMS: MAX_TIME_MS },
    )
    .toArray()
}

/** Counts a reply for the process that did not come to it. Its socket was told by the answer, if there was one. */
async function countForOther(deps: CommentsDeps, reply: Uncounted): Promise<void> {
  const event = reply.visibilityChange === undefined ? 'comment:created' : 'comment:status'
  const said = parseSaid(reply.said ?? '')
  const sender = said?.event === null ? said.sender : undefined
  const count = () => countReply(deps, { reply, event, sender })
  await deps.feed.lostAnswers.guard(count, count)
}

/** Whether an instance wrote or changed a reply so lately that its count may be on its way. */
async function isBusy({ db: { comments } }: CommentsDeps, { _id }: Thread): Promise<boolean> {
  const since = ObjectId.createFromTime(Math.floor((Date.now() - UNCOUNTED_AFTER_MS) / 1_000))
  const changed = { $or: [{ _id: { $gte: since } }, { visibilityChange: { $gte: since } }] }
  const options = { projection: { _id: 1 }, maxTimeMS: MAX_TIME_MS }
  return (await comments.findOne({ parentId: _id, said: { $exists: true }, ...changed }, options)) !== null
}

/** Stores a count that no change of a reply explains: another program deleted some, or an older release miscounted. */
async function storeCount(deps: CommentsDeps, { _id, gameId }: Thread, { stored, visible }: Counts): Promise<void> {
  // Where an older release stored no count, null matches.
  const filter = { _id, repliesCount: stored } as Filter<CommentDocument>
  const said = toSaid(deps, { event: null, payload: { gameId: gameId.toHexString() } })
  const write = () =>
    deps.db.comments.updateOne(filter, { $set: { repliesCount: visible, said } }, { maxTimeMS: MAX_TIME_MS })
  await deps.feed.lostAnswers.guard(write, () => announceAgain(deps, null, _id))
  dropDiscussion(deps, gameId)
}

/**
 * Counts a thread's visible replies again and stores the number: a process may have been killed between a reply and its
 * count. The replies that it left uncounted are announced with it. While the thread is being written to, the difference may
 * be a write on its way, so nothing is done: a later read finds the lasting ones. It never fails, since the read that
 * found it has its answer.
 */
export async function repairRepliesCount(deps: CommentsDeps, thread: Thread): Promise<void> {
  const key = toThreadQueueKey(thread._id)
  if (!deps.queue.isIdle(key)) return

  const repair = async () => {
    const before = await readCounts(deps, thread)
    if (before === null || before.stored === before.visible) return
    const uncounted = await findUncounted(deps, thread, before)
    for (const reply of uncounted) await countForOther(deps, reply)

    const after = await readCounts(deps, thread)
    const isStillWrong = after !== null && after.stored !== after.visible && !(await isBusy(deps, thread))
    if (isStillWrong) await storeCount(deps, thread, after)
    const facts = { commentId: thread._id.toHexString(), from: before.stored, to: before.visible }
    if (isStillWrong) deps.log.warn(facts, 'a count was repaired')
    else if (uncounted.length > 0) deps.log.info(facts, 'replies were counted for another process')
  }
  await deps.queue
    .run(key, repair)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'a count could not be repaired'))
}
