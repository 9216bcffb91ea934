import type { Comment, CommentSort } from '../contract/comments.ts'
import type {
  CommentCreated,
  CommentLikes,
  CommentStatusChanged,
  CommentUpdated,
} from '../contract/comments-namespace.ts'

/** A change of a discussion: an event, or the viewer's own flags from an answer. */
export type DiscussionChange =
  | { kind: 'created'; event: CommentCreated }
  | { kind: 'updated'; event: CommentUpdated }
  | { kind: 'status'; event: CommentStatusChanged }
  | { kind: 'likes'; event: CommentLikes }
  | { kind: 'flags'; event: { commentId: string; isLiked?: boolean; isReported?: boolean } }
  | { kind: 'posted'; event: { commentId: string; comment: Comment } }

interface Thread {
  readonly ids: readonly string[]
  /** How many replies the viewer asked for. */
  readonly wanted: number
  readonly hasMore: boolean
}

/** A discussion as it is shown, with what came since and is not. */
export interface Discussion {
  readonly sort: CommentSort
  /** Top-level comments in the order in which they are shown. */
  readonly order: readonly string[]
  readonly rows: ReadonlyMap<string, Comment>
  /** Top-level comments that came since, and whether they count: a hidden or deleted one does not. */
  readonly unseen: ReadonlyMap<string, boolean>
  readonly threads: ReadonlyMap<string, Thread>
  /** The newest that was ever shown; whatever is newer came since. */
  readonly newestSeen: string
  readonly hasMore: boolean
}

export const emptyDiscussion = (sort: CommentSort): Discussion => ({
  sort,
  order: [],
  rows: new Map(),
  unseen: new Map(),
  threads: new Map(),
  newestSeen: '',
  hasMore: false,
})

/** The parts that a change leaves unknown: the list or a thread that has to be read again, or a thread that grew. */
export interface Gaps {
  list: boolean
  thread?: { id: string; isWhole: boolean }
}

/** Admins alone are told how often a comment was reported, and they may read hidden ones. */
const isReadable = ({ status, reportsCount }: Comment) =>
  status === 'visible' || (status === 'hidden' && reportsCount !== undefined)

function withStatus(comment: Comment, status: Comment['status']): Comment {
  const changed = { ...comment, status }
  return isReadable(changed) ? changed : { ...changed, body: '', userId: '', author: null }
}

/** A comment after a change; the same object where the change is not about it. Counts are absolute, so twice is once. */
export function patchComment(comment: Comment, { kind, event }: DiscussionChange): Comment {
  if (
    (kind === 'created' || kind === 'status') &&
    event.parentId === comment._id &&
    event.parentRepliesCount !== null
  ) {
    return { ...comment, repliesCount: event.parentRepliesCount }
  }
  if (kind === 'status' && event.status !== 'visible' && comment.replyTo?._id === event.commentId) {
    const answered = withStatus({ ...comment, author: comment.replyTo.author }, event.status)
    return { ...comment, replyTo: { _id: event.commentId, author: answered.author } }
  }
  if (event.commentId !== comment._id) return comment
  switch (kind) {
    case 'likes':
      return { ...comment, likesCount: event.likesCount }
    case 'updated':
      // The edit of a comment that was removed meanwhile may be told last.
      if (!isReadable(comment)) return comment
      return { ...comment, body: event.body, isSpoiler: event.isSpoiler, updatedAt: event.updatedAt }
    case 'status':
      return withStatus(comment, event.status)
    case 'flags': {
      const { isLiked = comment.isLiked, isReported = comment.isReported } = event
      return { ...comment, isLiked, isReported }
    }
    default:
      return comment
  }
}

/** A comment that nobody may read stays listed only as long as it has replies. */
const isListed = (comment: Comment | undefined) =>
  comment !== undefined && (isReadable(comment) || comment.repliesCount > 0)

function patchRows(rows: ReadonlyMap<string, Comment>, change: DiscussionChange): ReadonlyMap<string, Comment> {
  let changed: Map<string, Comment> | undefined
  for (const [id, comment] of rows) {
    const patched = patchComment(comment, change)
    if (patched === comment) continue
    changed ??= new Map(rows)
    changed.set(id, patched)
  }
  return changed ?? rows
}

/** Whether a late event tells of a comment that stands further down: an id begins with the time at which it was made. */
function isBelowPage({ sort, hasMore, order }: Discussion, id: string): boolean {
  const last = order.at(-1)
  return sort === 'new' && hasMore && last !== undefined && id < last
}

/** The count of what came since: what was hidden or deleted leaves it, what is shown again comes back. */
function patchUnseen(discussion: Discussion, change: DiscussionChange): ReadonlyMap<string, boolean> {
  const { unseen, rows } = discussion
  const { commentId } = change.event
  if (change.kind === 'created' && change.event.parentId === null) {
    if (rows.has(commentId) || unseen.has(commentId) || isBelowPage(discussion, commentId)) return unseen
    return new Map(unseen).set(commentId, true)
  }
  if (change.kind !== 'status' || !unseen.has(commentId)) return unseen
  return new Map(unseen).set(commentId, change.event.status === 'visible')
}

const NO_GAPS: Gaps = { list: false }

/** Takes a change into a discussion, and says what it leaves unknown. */
export function applyChange(discussion: Discussion, change: DiscussionChange): { discussion: Discussion; gaps: Gaps } {
  if (change.kind === 'posted') return { discussion: placeOnTop(discussion, change.event.comment), gaps: NO_GAPS }
  const rows = patchRows(discussion.rows, change)
  const unseen = patchUnseen(discussion, change)
  const order = discussion.order.every((id) => isListed(rows.get(id)))
    ? discussion.order
    : discussion.order.filter((id) => isListed(rows.get(id)))
  const threads = rows === discussion.rows ? discussion.threads : dropUnreadable(discussion.threads, rows)
  const gaps = findGaps(discussion, change)
  // The last that was shown has gone, and there are more below it.
  const isEmptied = order.length === 0 && discussion.order.length > 0 && discussion.hasMore
  return {
    discussion: { ...discussion, rows, unseen, order, threads },
    gaps: isEmptied ? { ...gaps, list: true } : gaps,
  }
}

function dropUnreadable(threads: ReadonlyMap<string, Thread>, rows: ReadonlyMap<string, Comment>) {
  const isGone = (id: string) => {
    const reply = rows.get(id)
    return reply === undefined || !isReadable(reply)
  }
  return new Map(
    [...threads].map(([id, thread]) => [
      id,
      thread.ids.some(isGone) ? { ...thread, ids: thread.ids.filter((reply) => !isGone(reply)) } : thread,
    ]),
  )
}

function findGaps({ order, unseen, threads, rows }: Discussion, { kind, event }: DiscussionChange): Gaps {
  if (kind !== 'created' && kind !== 'status') return NO_GAPS
  const { parentId, parentRepliesCount, commentId } = event
  const isShownAgain = kind === 'status' && event.status === 'visible'

  if (parentId === null) {
    // Its text was not sent, and those who answered it name it again.
    if (!isShownAgain) return NO_GAPS
    const thread = threads.has(commentId) && { thread: { id: commentId, isWhole: true } }
    return { list: !unseen.has(commentId), ...thread }
  }
  // A thread whose first comment may not be read is listed again with its first reply.
  const list = parentRepliesCount === 1 && !order.includes(parentId) && !unseen.has(parentId)
  const isNews = kind === 'created' ? !rows.has(commentId) : isShownAgain
  return { list, ...(threads.has(parentId) && isNews && { thread: { id: parentId, isWhole: isShownAgain } }) }
}

export interface ListRead {
  rows: readonly Comment[]
  total: number
}

const newest = (comments: Iterable<Comment>, known: string) => {
  let found = known
  for (const { createdAt } of comments) if (createdAt > found) found = createdAt
  return found
}

/** The known object where a read says the same of a comment, so that a view draws nothing anew for it. */
const sameOr = (known: Comment | undefined, read: Comment): Comment =>
  known !== undefined && JSON.stringify(known) === JSON.stringify(read) ? known : read

/** Rows of another read, and those of what is open; whatever is shown nowhere is forgotten. */
function keepRows(
  { rows, threads }: Discussion,
  fresh: readonly Comment[],
  shown: Iterable<string>,
): ReadonlyMap<string, Comment> {
  const kept = new Map<string, Comment>()
  for (const id of [...shown, ...[...threads.values()].flatMap(({ ids }) => ids)]) {
    const row = rows.get(id)
    if (row !== undefined) kept.set(id, row)
  }
  const isShown = new Set(shown)
  for (const comment of fresh)
    if (isShown.has(comment._id)) kept.set(comment._id, sameOr(rows.get(comment._id), comment))
  return kept
}

/** Shows a read as it is: nothing is left that came since. */
export function adoptList(discussion: Discussion, { rows: comments, total }: ListRead): Discussion {
  const order = [...new Set(comments.map(({ _id }) => _id))]
  return {
    ...discussion,
    order,
    unseen: new Map(),
    rows: keepRows(discussion, comments, order),
    newestSeen: newest(comments, discussion.newestSeen),
    hasMore: total > order.length,
  }
}

const countVisible = (unseen: ReadonlyMap<string, boolean>) => [...unseen.values()].filter(Boolean).length

/** How many comments of the list are known, and whether one is. */
export function knownOf({ order, unseen }: Discussion) {
  const ids = new Set([...order, ...unseen.keys()])
  return { count: order.length + countVisible(unseen), has: ({ _id }: Comment) => ids.has(_id) }
}

/** Shows rows behind those that are shown, except what came since. */
export function appendList(discussion: Discussion, { rows: read, total }: ListRead): Discussion {
  const known = knownOf(discussion)
  const comments = read.filter((comment) => !known.has(comment))
  const order = [...discussion.order, ...comments.map(({ _id }) => _id)]
  const rows = new Map(discussion.rows)
  for (const comment of comments) rows.set(comment._id, comment)
  const hasMore = total > known.count + comments.length
  return { ...discussion, order, rows, hasMore, newestSeen: newest(comments, discussion.newestSeen) }
}

/** Puts into `order` whatever `fresh` has before the last of it, each behind the one it follows there. */
function insertInPlace(order: readonly string[], fresh: readonly string[]): string[] {
  const merged = [...order]
  const shown = new Set(order)
  const last = fresh.findLastIndex((id) => shown.has(id))
  for (const [index, id] of fresh.entries()) {
    if (shown.has(id) || index > last) continue
    const predecessor = fresh[index - 1]
    merged.splice(predecessor === undefined ? 0 : merged.indexOf(predecessor) + 1, 0, id)
    shown.add(id)
  }
  return merged
}

interface KeepOptions {
  /** How many comments the viewer asked for. */
  wanted: number
  /** Comments that are shown and that the read may have missed: it took several requests. */
  missable: ReadonlySet<string>
}

/** Takes a read into what is shown without moving it: what came since stays unseen, what is gone goes. */
export function mergeList(
  discussion: Discussion,
  { rows: comments, total }: ListRead,
  options: KeepOptions,
): Discussion {
  const { wanted, missable } = options
  const found = new Map(comments.map((comment) => [comment._id, comment]))
  const kept = discussion.order.filter((id) => found.has(id) || missable.has(id))
  const shown = new Set(kept)
  const isNew = ({ _id, createdAt }: Comment) =>
    !shown.has(_id) && (discussion.unseen.has(_id) || createdAt > discussion.newestSeen)

  const news = [...found.values()].filter(isNew)
  const unseen = new Map(news.map(({ _id, status }) => [_id, status === 'visible']))
  const old = [...found.keys()].filter((id) => !unseen.has(id))
  const order = insertInPlace(kept, old)
  const placed = new Set(order)
  for (const id of old) if (order.length < wanted && !placed.has(id)) order.push(id)

  return {
    ...discussion,
    order,
    unseen,
    rows: keepRows(discussion, comments, order),
    hasMore: total > order.length + unseen.size,
    newestSeen: newest(
      order.flatMap((id) => found.get(id) ?? []),
      discussion.newestSeen,
    ),
  }
}

/**
 * Shows a comment at the top, below newer ones only, that the page has elsewhere or not at all: one of the viewer's
 * own, or one that came since.
 */
export function placeOnTop(discussion: Discussion, comment: Comment): Discussion {
  const unseen = new Map(discussion.unseen)
  unseen.delete(comment._id)
  const others = discussion.order.filter((id) => id !== comment._id)
  const at = others.findIndex((id) => (discussion.rows.get(id)?.createdAt ?? '') < comment.createdAt)
  return {
    ...discussion,
    unseen,
    order: others.toSpliced(at === -1 ? others.length : at, 0, comment._id),
    rows: new Map(discussion.rows).set(comment._id, comment),
    newestSeen: newest([comment], discussion.newestSeen),
  }
}

/** Opens a thread, or asks for more of it; null closes it. */
export function setThread(discussion: Discussion, parentId: string, wanted: number | null): Discussion {
  const threads = new Map(discussion.threads)
  if (wanted === null) threads.delete(parentId)
  else threads.set(parentId, { ids: [], hasMore: false, ...threads.get(parentId), wanted })
  return { ...discussion, threads }
}

/** Shows a read of a thread: replies stand in the order of their posting, so nothing moves. */
export function adoptReplies(
  discussion: Discussion,
  parentId: string,
  { rows: comments, total }: ListRead,
): Discussion {
  const thread = discussion.threads.get(parentId)
  if (thread === undefined) return discussion
  const rows = new Map(discussion.rows)
  for (const comment of comments) rows.set(comment._id, sameOr(rows.get(comment._id), comment))
  const ids = [...new Set(comments.map(({ _id }) => _id))]
  const threads = new Map(discussion.threads).set(parentId, { ...thread, ids, hasMore: total > ids.length })
  return { ...discussion, rows, threads }
}
