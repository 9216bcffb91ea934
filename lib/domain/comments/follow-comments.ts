import { ObjectId } from 'mongodb'
import { CommentStatus } from '../../contract/comments.ts'
import type { CommentsServerEvents } from '../../contract/namespaces/comments.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { type Change, isUnnumbered } from '../../infrastructure/events/change.ts'
import { type EventName, toEvents } from '../../infrastructure/events/to-events.ts'
import { type CommentRow, rowProjection, toUpdated } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'

type CommentEvent = keyof CommentsServerEvents

interface StreamedCount extends Pick<Change, 'clusterTime'> {
  threadId: string
  repliesCount: number
  rev: number
}

interface LiveChange {
  change: Change
  events: readonly CommentEvent[]
  commentId: ObjectId
  gameId: string
  /** The thread of a reply. */
  parentId: ObjectId | null
  /** The count of the thread, when the same transaction changed it. */
  counted: StreamedCount | undefined
}

const isCommentEvent = (event: EventName): event is CommentEvent => event.startsWith('comment:')

/** True for a change without a number, which another program made: its events describe the comment as it is stored now. */
const describesStored = ({ change, events }: LiveChange) =>
  change.values.rev === undefined && !events.includes('comment:created')

/** True when the events need the stored comment. No change contains the text. */
const needsRow = (live: LiveChange) => describesStored(live) || live.events.includes('comment:updated')

const needsCount = ({ events, counted }: LiveChange) => events.includes('comment:created') && counted === undefined

function toCount({ id, clusterTime, values: { repliesCount, rev } }: Change): StreamedCount | null {
  if (repliesCount === undefined || rev === undefined || !(id instanceof ObjectId)) return null
  return { threadId: id.toHexString(), repliesCount, rev, clusterTime }
}

/** Finds the place of a changed comment. Null for a change without events, and for a comment that is gone since. */
function toLiveChange(
  { commentCaches: { threadRefs } }: CommentsDeps,
  change: Change,
  lastCount: StreamedCount | undefined,
): LiveChange | null {
  const { id, clusterTime } = change
  const events = toEvents(change).filter(isCommentEvent)
  if (!(id instanceof ObjectId) || events.length === 0) return null
  // The caches' own follower has loaded it.
  const ref = threadRefs.get(id.toHexString())
  if (ref === undefined) return null
  const parentId = ref.threadId.equals(id) ? null : ref.threadId
  const isInTransaction = clusterTime !== undefined && lastCount?.clusterTime?.equals(clusterTime) === true
  const counted = isInTransaction && lastCount.threadId === parentId?.toHexString() ? lastCount : undefined
  return { change, events, commentId: id, gameId: ref.gameId.toHexString(), parentId, counted }
}

/** Reads rows and counts in two queries at most, and nothing of discussions without subscribers. */
async function load({ db, emit }: CommentsDeps, changes: readonly LiveChange[]) {
  const followed = changes.filter(({ gameId }) => emit.comments.hasSubscribers(gameId))
  const rowIds = followed.filter(needsRow).map(({ commentId }) => commentId)
  const threadIds = followed.filter(needsCount).flatMap(({ parentId }) => parentId ?? [])
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

function send(deps: CommentsDeps, live: LiveChange, { rows, counts }: Awaited<ReturnType<typeof load>>): void {
  const { change, events, counted } = live
  const { comments } = deps.emit
  const commentId = live.commentId.toHexString()
  const parentId = live.parentId?.toHexString() ?? null
  const row = rows.get(commentId)
  const readCount = parentId !== null && needsCount(live) ? (counts.get(parentId)?.repliesCount ?? 0) : null
  const { status, likesCount }: Partial<Change['values']> = describesStored(live) ? (row ?? {}) : change.values
  const { data: validStatus } = CommentStatus.safeParse(status)
  const subject = { gameId: live.gameId, commentId }
  const thread = { parentId, parentRepliesCount: counted?.repliesCount ?? readCount }
  const options = {
    rev: change.values.rev ?? row?.rev ?? 0,
    threadRev: counted?.rev,
    except: change.sender?.socketId,
    isRemote: true,
    isUnnumbered: isUnnumbered(change, deps),
  }
  for (const event of events) {
    switch (event) {
      case 'comment:created':
        if (status === 'visible') comments.created({ ...subject, ...thread }, options)
        break
      case 'comment:status':
        if (validStatus !== undefined) comments.status({ ...subject, ...thread, status: validStatus }, options)
        break
      case 'comment:updated':
        if (row?.status === 'visible') comments.updated(toUpdated(row), options)
        else comments.markUpdateSeen(commentId, options)
        break
      case 'comment:likes':
        if (likesCount !== undefined) comments.likes({ ...subject, likesCount }, options)
        break
    }
  }
}

/** Makes the follower that sends the events of others' changes in their order, once everything is loaded. */
export function createCommentsFollower(deps: CommentsDeps): (changes: readonly Change[]) => Promise<void> {
  let lastCount: StreamedCount | undefined

  return async function followComments(changes) {
    const liveChanges = changes.flatMap((change) => {
      lastCount = toCount(change) ?? lastCount
      return toLiveChange(deps, change, lastCount) ?? []
    })
    const loaded = await load(deps, liveChanges)
    for (const live of liveChanges) send(deps, live, loaded)
  }
}
