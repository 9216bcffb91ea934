import { ObjectId, type Timestamp } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { CommentStatus } from '../contract/comments.ts'
import type { CommentsServerEvents } from '../contract/namespaces/comments.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import type { Emitter, SendOptions } from '../emitter.ts'
import { type Change, isUnnumbered } from '../events/change.ts'
import { toEvents } from '../events/to-events.ts'
import { dropDiscussion, dropPages } from './caches.ts'
import { type CommentRow, rowProjection, toUpdated } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { keepThreadRef, loadThreadRefs } from './thread-refs.ts'

/** Fields that change what a page shows, and not how many comments are listed. */
const SHOWN_FIELDS = new Set<string>([
  'likedBy',
  'likesCount',
  'reportedBy',
  'reportsCount',
  'body',
  'isSpoiler',
  'updatedAt',
  'rev',
  'sentBy',
] satisfies (keyof CommentDocument)[])

function clearDiscussions({ commentCaches: { pages, totals } }: CommentsDeps): void {
  pages.clear()
  totals.clear()
}

/** Drops the pages of a changed comment where its game is known; answers its id where that has to be looked up. */
function dropKnown(deps: CommentsDeps, { type, id, fields, values }: Change): ObjectId | null {
  const { threadRefs } = deps.commentCaches
  const key = id instanceof ObjectId ? id.toHexString() : ''
  const isMoved = fields?.some((field) => field === 'gameId' || field === 'parentId') ?? false
  const before = threadRefs.get(key)
  const drop = fields?.every((field) => SHOWN_FIELDS.has(field)) ? dropPages : dropDiscussion
  if (before) drop(deps, before.gameId)
  // It may have left any discussion.
  else if (isMoved || (type !== 'insert' && type !== 'update')) clearDiscussions(deps)
  if (isMoved || type === 'delete') threadRefs.delete(key)
  if (!(id instanceof ObjectId)) return null

  const { gameId, parentId = null } = values
  if (type !== 'insert' && type !== 'replace') return type === 'update' && !threadRefs.has(key) ? id : null
  if (gameId) dropDiscussion(deps, keepThreadRef(deps, { _id: id, gameId, parentId }).gameId)
  return null
}

async function dropChangedDiscussions(deps: CommentsDeps, changes: readonly Change[]): Promise<void> {
  const unknown = changes.flatMap((change) => dropKnown(deps, change) ?? [])
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

/** The count of a thread as the change stream brought it. */
interface StreamedCount {
  threadId: string
  repliesCount: number
  rev: number
  clusterTime: Timestamp | undefined
}

interface ToldComment {
  subject: { gameId: string; commentId: string }
  thread: { parentId: string | null; parentRepliesCount: number | null }
  state: Pick<Change['values'], 'status' | 'likesCount'>
  /** The comment as it is stored, where it was read. */
  row: CommentRow | null
  options: SendOptions
}

/** How each event is told, in their order; one that is missing does not compile. */
const TELLERS: Record<keyof CommentsServerEvents, (comments: Emitter['comments'], told: ToldComment) => void> = {
  'comment:created'(comments, { subject, thread, state, options }) {
    if (state.status === 'visible') comments.created({ ...subject, ...thread }, options)
  },
  'comment:status'(comments, { subject, thread, state, options }) {
    const { data: status } = CommentStatus.safeParse(state.status)
    if (status !== undefined) comments.status({ ...subject, ...thread, status }, options)
  },
  'comment:updated'(comments, { subject, row, options }) {
    if (row?.status === 'visible') comments.updated(toUpdated(row), options)
    else if (row === null) comments.skipUpdate(subject.commentId, options)
  },
  'comment:likes'(comments, { subject, state: { likesCount }, options }) {
    if (likesCount !== undefined) comments.likes({ ...subject, likesCount }, options)
  },
}

async function readThreadCount({ db }: CommentsDeps, parentId: string): Promise<number> {
  const filter = { _id: new ObjectId(parentId) }
  const thread = await db.comments.findOne(filter, { projection: { repliesCount: 1 }, maxTimeMS: MAX_TIME_MS })
  return thread?.repliesCount ?? 0
}

async function followComment(deps: CommentsDeps, change: Change, lastCount: StreamedCount | undefined): Promise<void> {
  const { id, values, clusterTime, sender } = change
  const events: readonly string[] = toEvents(change)
  if (events.length === 0 || !(id instanceof ObjectId)) return
  const commentId = id.toHexString()
  const ref = deps.commentCaches.threadRefs.get(commentId)
  // Gone since.
  if (ref === undefined) return

  const { comments } = deps.emit
  const gameId = ref.gameId.toHexString()
  const parentId = ref.threadId.equals(id) ? null : ref.threadId.toHexString()
  const isHeard = comments.hasSubscribers(gameId)
  const isCreated = events.includes('comment:created')
  // The text is in no change; of a change without a number, all is told as it is stored now.
  const isStored = values.rev === undefined && !isCreated
  const isRead = isHeard && (isStored || events.includes('comment:updated'))
  const options = { projection: rowProjection(null), maxTimeMS: MAX_TIME_MS }
  const row = isRead ? await deps.db.comments.findOne<CommentRow>({ _id: id }, options) : null

  const isCounted = lastCount?.threadId === parentId && clusterTime && lastCount.clusterTime?.equals(clusterTime)
  const counted = isCounted ? lastCount : undefined
  const isCountRead = isHeard && isCreated && parentId !== null && counted === undefined
  const parentRepliesCount = isCountRead ? await readThreadCount(deps, parentId) : (counted?.repliesCount ?? null)
  const told: ToldComment = {
    subject: { gameId, commentId },
    thread: { parentId, parentRepliesCount },
    state: isStored ? (row ?? {}) : values,
    row,
    options: {
      rev: values.rev ?? row?.rev ?? 0,
      threadRev: counted?.rev,
      except: sender?.socketId,
      isRemote: true,
      isUnnumbered: isUnnumbered(change, deps),
    },
  }
  for (const [event, tell] of Object.entries(TELLERS)) if (events.includes(event)) tell(comments, told)
}

/** Makes the follower of comments that others changed: drops their pages and tells this instance's sockets, in order. */
export function createCommentsFollower(deps: CommentsDeps): (changes: readonly Change[]) => Promise<void> {
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
