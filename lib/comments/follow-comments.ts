import { ObjectId, type Timestamp } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { CommentStatus } from '../contract/comments.ts'
import type { CommentsServerEvents } from '../contract/namespaces/comments.ts'
import type { SendOptions } from '../emitter.ts'
import type { Change } from '../events/change.ts'
import { type EventName, toEvents } from '../events/to-events.ts'
import { dropDiscussion, dropPages, type ThreadRef } from './caches.ts'
import { type CommentRow, rowProjection, toUpdated } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { keepThreadRef, loadThreadRefs } from './thread-refs.ts'

type DropDeps = Pick<CommentsDeps, 'db' | 'commentCaches'>

/** These change what a page shows, and not which comments are listed. */
const SHOWN_FIELDS = new Set([
  'likedBy',
  'likesCount',
  'reportedBy',
  'reportsCount',
  'body',
  'isSpoiler',
  'updatedAt',
  'rev',
  'sentBy',
])

function clearDiscussions({ commentCaches: { pages, totals } }: DropDeps): void {
  pages.clear()
  totals.clear()
}

/** Whether a change may concern how many comments a game lists. */
function isListChange({ type, fields, values: { parentId, repliesCount } }: Change): boolean {
  if (type === 'insert') return !(parentId instanceof ObjectId)
  // With its first reply, or without its last one, a comment that may not be read is listed or not.
  const isCountOnly = repliesCount !== undefined && repliesCount > 1
  return !fields?.every((field) => SHOWN_FIELDS.has(field) || (field === 'repliesCount' && isCountOnly))
}

/** Notes where a changed comment is now, and answers where it was. */
function moveThreadRef({ commentCaches }: DropDeps, { type, id, fields, values }: Change): ThreadRef | undefined {
  if (!(id instanceof ObjectId)) return undefined
  const key = id.toHexString()
  const before = commentCaches.threadRefs.get(key)
  const isMoved = fields?.some((field) => field === 'gameId' || field === 'parentId')
  if (type === 'delete' || isMoved) commentCaches.threadRefs.delete(key)
  const { gameId, parentId = null } = values
  if (gameId && (type === 'insert' || type === 'replace'))
    keepThreadRef({ commentCaches }, { _id: id, gameId, parentId })
  return before
}

/** Drops the pages of a changed comment where its game is known; answers its id where that has to be looked up. */
function dropKnown(deps: DropDeps, change: Change): ObjectId | null {
  const { id, type, fields, values } = change
  const before = moveThreadRef(deps, change)
  const drop = isListChange(change) ? dropDiscussion : dropPages
  if (values.gameId) drop(deps, values.gameId)
  if (before) drop(deps, before.gameId)
  if (before || (type === 'insert' && values.gameId)) return null
  if (id instanceof ObjectId && type === 'update' && !fields?.includes('gameId')) return id
  clearDiscussions(deps)
  return null
}

/** Forgets the cached pages of the discussions in which others changed comments. */
async function dropChangedDiscussions(deps: DropDeps, changes: readonly Change[]): Promise<void> {
  const unknown = changes.flatMap((change) => dropKnown(deps, change) ?? [])
  if (unknown.length === 0) return
  try {
    await loadThreadRefs(deps, unknown)
  } catch (error) {
    clearDiscussions(deps)
    throw error
  }
  for (const id of unknown) {
    const ref = deps.commentCaches.threadRefs.get(id.toHexString())
    if (ref === undefined) clearDiscussions(deps)
    else dropDiscussion(deps, ref.gameId)
  }
}

type FollowCommentsDeps = Pick<CommentsDeps, 'db' | 'emit' | 'commentCaches' | 'instance'>

/** The count of a thread as the change stream brought it. */
interface StreamedCount {
  threadId: string
  repliesCount: number
  rev: number
  clusterTime: Timestamp | undefined
}

/** Where a changed comment stands, and how its events are sent. */
interface ChangedComment {
  subject: { gameId: string; commentId: string }
  parentId: string | null
  /** The count of its thread, changed in the same transaction. */
  counted: StreamedCount | undefined
  options: SendOptions
}

const toOptions = ({ instance }: FollowCommentsDeps, { type, values: { rev }, sender }: Change): SendOptions => ({
  rev,
  except: sender?.socketId,
  isRemote: true,
  // Another program may have stored the document as a whole with the number that it had; an own large change looks alike.
  isUnnumbered: rev === undefined || (type === 'replace' && sender?.instance !== instance),
})

async function readThreadCount({ db }: FollowCommentsDeps, parentId: string): Promise<number> {
  const filter = { _id: new ObjectId(parentId) }
  const thread = await db.comments.findOne(filter, { projection: { repliesCount: 1 }, maxTimeMS: MAX_TIME_MS })
  return thread?.repliesCount ?? 0
}

async function tellCreated(
  deps: FollowCommentsDeps,
  { values: { status } }: Change,
  { subject, parentId, counted, options }: ChangedComment,
): Promise<void> {
  const { comments } = deps.emit
  if (status !== 'visible') return
  const isRead = parentId !== null && counted === undefined && comments.hasSubscribers(subject.gameId)
  const parentRepliesCount = isRead ? await readThreadCount(deps, parentId) : (counted?.repliesCount ?? null)
  comments.created({ ...subject, parentId, parentRepliesCount }, { ...options, threadRev: counted?.rev })
}

/** Tells one event of a comment as it is stored or as the change tells it. */
function tell(
  { emit: { comments } }: FollowCommentsDeps,
  event: Exclude<EventName, 'comment:created'>,
  {
    comment,
    state: { status, likesCount },
    row,
  }: { comment: ChangedComment; state: Change['values']; row: CommentRow | null },
): void {
  const { subject, parentId, counted, options } = comment
  switch (event) {
    case 'comment:likes':
      if (likesCount !== undefined) comments.likes({ ...subject, likesCount }, options)
      break
    case 'comment:updated':
      if (row?.status === 'visible') comments.updated(toUpdated(row), options)
      else if (row === null) comments.skipUpdate(subject.commentId, options)
      break
    case 'comment:status': {
      const known = CommentStatus.safeParse(status)
      if (!known.success) break
      const parentRepliesCount = counted?.repliesCount ?? null
      const payload = { ...subject, parentId, parentRepliesCount, status: known.data }
      comments.status(payload, { ...options, threadRev: counted?.rev })
      break
    }
    default:
      event satisfies Exclude<EventName, keyof CommentsServerEvents>
  }
}

async function followComment(
  deps: FollowCommentsDeps,
  change: Change,
  lastCount: StreamedCount | undefined,
): Promise<void> {
  const { id, values, clusterTime } = change
  const events = toEvents(change)
  if (events.length === 0 || !(id instanceof ObjectId)) return
  const commentId = id.toHexString()
  const ref = deps.commentCaches.threadRefs.get(commentId)
  // Gone since, or nobody is here to be told.
  if (ref === undefined) return

  const subject = { gameId: ref.gameId.toHexString(), commentId }
  const parentId = ref.threadId.equals(id) ? null : ref.threadId.toHexString()
  const isCounted = lastCount?.threadId === parentId && clusterTime && lastCount.clusterTime?.equals(clusterTime)
  const comment = { subject, parentId, counted: isCounted ? lastCount : undefined, options: toOptions(deps, change) }
  if (events.includes('comment:created')) return tellCreated(deps, change, comment)

  // The text is in no change; of a change without a number, all is told as it is stored now.
  const isRead = values.rev === undefined || events.includes('comment:updated')
  const isHeard = deps.emit.comments.hasSubscribers(subject.gameId)
  const projection = rowProjection(null)
  const row =
    isRead && isHeard
      ? await deps.db.comments.findOne<CommentRow>({ _id: id }, { projection, maxTimeMS: MAX_TIME_MS })
      : null
  const state = values.rev === undefined ? (row ?? {}) : values
  if (values.rev === undefined) comment.options.rev = row?.rev ?? 0
  for (const event of events) {
    if (event !== 'comment:created') tell(deps, event, { comment, state, row })
  }
}

/** Makes the follower of comments that others changed: drops their pages and tells this instance's sockets, in order. */
export function createCommentsFollower(deps: FollowCommentsDeps): (changes: readonly Change[]) => Promise<void> {
  let lastCount: StreamedCount | undefined

  return async function followComments(changes) {
    await dropChangedDiscussions(deps, changes)
    for (const change of changes) {
      const { id, clusterTime, values } = change
      const { repliesCount, rev } = values
      if (repliesCount !== undefined && rev !== undefined && id instanceof ObjectId) {
        lastCount = { threadId: id.toHexString(), repliesCount, rev, clusterTime }
        deps.emit.comments.counted(lastCount.threadId, lastCount)
      }
      await followComment(deps, change, lastCount)
    }
  }
}
