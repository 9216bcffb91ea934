import { ObjectId, type Timestamp } from 'mongodb'
import { CommentStatus } from '../../contract/comments.ts'
import type { CommentsServerEvents, CommentUpdated } from '../../contract/namespaces/comments.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { type Change, isUnnumbered } from '../../infrastructure/events/change.ts'
import type { Emitter, SendOptions } from '../../infrastructure/events/emitter.ts'
import { type EventName, toEvents } from '../../infrastructure/events/to-events.ts'
import type { ThreadRef } from './caches.ts'
import { type CommentRow, rowProjection, toUpdated } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { dropChangedDiscussions } from './drop-changed-discussions.ts'

/** The count of a thread as the change stream brought it. */
interface StreamedCount {
  threadId: string
  repliesCount: number
  rev: number
  clusterTime: Timestamp | undefined
}

/** A change that means events, and what has to be read to send them. */
interface LiveChange {
  change: Change
  events: readonly EventName[]
  commentId: ObjectId
  ref: ThreadRef
  parentId: ObjectId | null
  /** The count of the thread where the same transaction changed it. */
  counted: StreamedCount | undefined
  isCountRead: boolean
  /** Whether the events are about the comment as it is stored now, since the change has no number. */
  isStored: boolean
  isRowRead: boolean
}

interface PreparedComment {
  events: readonly EventName[]
  subject: { gameId: string; commentId: string }
  thread: { parentId: string | null; parentRepliesCount: number | null }
  state: Pick<Change['values'], 'status' | 'likesCount'>
  /** Null where nobody follows the discussion, or the comment may not be read any more. */
  updated: CommentUpdated | null
  options: SendOptions
}

/** How each event is sent, in their order; one that is missing does not compile. */
const SENDERS: Record<keyof CommentsServerEvents, (comments: Emitter['comments'], sent: PreparedComment) => void> = {
  'comment:created'(comments, { subject, thread, state, options }) {
    if (state.status === 'visible') comments.created({ ...subject, ...thread }, options)
  },
  'comment:status'(comments, { subject, thread, state, options }) {
    const { data: status } = CommentStatus.safeParse(state.status)
    if (status !== undefined) comments.status({ ...subject, ...thread, status }, options)
  },
  'comment:updated'(comments, { subject, updated, options }) {
    if (updated) comments.updated(updated, options)
    else comments.skipUpdate(subject.commentId, options)
  },
  'comment:likes'(comments, { subject, state: { likesCount }, options }) {
    if (likesCount !== undefined) comments.likes({ ...subject, likesCount }, options)
  },
}

function toLiveChange(
  { emit, commentCaches }: CommentsDeps,
  change: Change,
  lastCount: StreamedCount | undefined,
): LiveChange | null {
  const { id, values, clusterTime } = change
  const events = toEvents(change)
  if (events.length === 0 || !(id instanceof ObjectId)) return null
  const ref = commentCaches.threadRefs.get(id.toHexString())
  // The comment is gone since.
  if (ref === undefined) return null

  const parentId = ref.threadId.equals(id) ? null : ref.threadId
  const isInTransaction = clusterTime !== undefined && lastCount?.clusterTime?.equals(clusterTime) === true
  const counted = isInTransaction && lastCount.threadId === parentId?.toHexString() ? lastCount : undefined
  const isFollowed = emit.comments.hasSubscribers(ref.gameId.toHexString())
  const isCreated = events.includes('comment:created')
  const isStored = values.rev === undefined && !isCreated
  return {
    change,
    events,
    commentId: id,
    ref,
    parentId,
    counted,
    isCountRead: isFollowed && isCreated && counted === undefined,
    isStored,
    // The text is in no change.
    isRowRead: isFollowed && (isStored || events.includes('comment:updated')),
  }
}

/** Reads what the events of an answer of the stream need, in two queries at most. */
async function readNeeded({ db }: CommentsDeps, live: readonly LiveChange[]) {
  const rowIds = live.flatMap(({ isRowRead, commentId }) => (isRowRead ? [commentId] : []))
  const threads = live.flatMap(({ isCountRead, parentId }) => (isCountRead && parentId ? [parentId] : []))
  const threadIds = [...new Map(threads.map((id) => [id.toHexString(), id])).values()]
  const [rows, counts] = await Promise.all([
    mapByIds<CommentRow>(db.comments, rowIds, rowProjection(null)),
    mapByIds<Pick<CommentDocument, '_id' | 'repliesCount'>>(db.comments, threadIds, { repliesCount: 1 }),
  ])
  const missing = rowIds.filter((id) => !rows.has(id.toHexString()))
  // A deleted comment is no error; clients have to read again what became unreadable.
  if (missing.length > 0 && (await db.comments.countDocuments({ _id: { $in: missing } })) > 0) {
    throw new Error('a changed comment cannot be read')
  }
  return { rows, counts }
}

function prepare(deps: CommentsDeps, live: LiveChange, read: Awaited<ReturnType<typeof readNeeded>>): PreparedComment {
  const { change, events, ref, parentId, counted, isCountRead, isStored } = live
  const { values, sender } = change
  const commentId = live.commentId.toHexString()
  const row = read.rows.get(commentId)
  const threadId = parentId?.toHexString() ?? null
  const readCount = isCountRead && threadId !== null ? (read.counts.get(threadId)?.repliesCount ?? 0) : null
  return {
    events,
    subject: { gameId: ref.gameId.toHexString(), commentId },
    thread: { parentId: threadId, parentRepliesCount: counted?.repliesCount ?? readCount },
    state: isStored ? (row ?? {}) : values,
    updated: row?.status === 'visible' && events.includes('comment:updated') ? toUpdated(row) : null,
    options: {
      rev: values.rev ?? row?.rev ?? 0,
      threadRev: counted?.rev,
      except: sender?.socketId,
      isRemote: true,
      isUnnumbered: isUnnumbered(change, deps),
    },
  }
}

function toCount({ id, clusterTime, values: { repliesCount, rev } }: Change): StreamedCount | null {
  if (repliesCount === undefined || rev === undefined || !(id instanceof ObjectId)) return null
  return { threadId: id.toHexString(), repliesCount, rev, clusterTime }
}

/**
 * Makes the follower of comments that others changed: drops their pages and sends their events to this instance's sockets,
 * in order. Nothing is sent before everything is prepared.
 */
export function createCommentsFollower(deps: CommentsDeps): (changes: readonly Change[]) => Promise<void> {
  let lastCount: StreamedCount | undefined
  const { comments } = deps.emit

  return async function followComments(changes) {
    await dropChangedDiscussions(deps, changes)
    const steps = changes.map((change) => {
      const count = toCount(change)
      lastCount = count ?? lastCount
      return { count, live: toLiveChange(deps, change, lastCount) }
    })
    const read = await readNeeded(
      deps,
      steps.flatMap(({ live }) => live ?? []),
    )
    const prepared = steps.map(({ count, live }) => ({ count, sent: live && prepare(deps, live, read) }))
    for (const { count, sent } of prepared) {
      if (count) comments.counted(count.threadId, count)
      for (const [event, send] of Object.entries(SENDERS)) {
        if (sent?.events.some((meant) => meant === event)) send(comments, sent)
      }
    }
  }
}
