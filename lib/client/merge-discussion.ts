import type { Comment, CommentSort } from '../contract/comments.ts'
import { type DiscussionChange, isReadable, patchComment } from './patch-comment.ts'

interface List {
  readonly ids: readonly string[]
  /** How many rows the viewer asked for. */
  readonly wanted: number
  readonly hasMore: boolean
  /** The row, as it was read, that ends what was read of the list. */
  readonly last?: Comment | undefined
}

/** The key of the top-level comments among the lists. */
export const LIST = ''

export interface Discussion {
  readonly sort: CommentSort
  readonly rows: ReadonlyMap<string, Comment>
  /** The top-level comments, and the replies of each open thread under the id of its first comment. */
  readonly lists: ReadonlyMap<string, List>
  /** Top-level comments that came since, and whether they count: a hidden or deleted one does not. */
  readonly unseen: ReadonlyMap<string, boolean>
  /** The newest that was ever shown; whatever is newer came since. */
  readonly newestSeen: string
  /** Shown comments that the last read of several pages did not have; gone when the next one has them neither. */
  readonly missed: ReadonlySet<string>
}

const NO_LIST: List = { ids: [], wanted: 0, hasMore: false }

export const emptyDiscussion = (sort: CommentSort, wanted: number): Discussion => ({
  sort,
  rows: new Map(),
  lists: new Map([[LIST, { ...NO_LIST, wanted }]]),
  unseen: new Map(),
  newestSeen: '',
  missed: new Set(),
})

export const getList = ({ lists }: Discussion, key: string): List => lists.get(key) ?? NO_LIST

/** A list that a change leaves unknown: it has to be read again, or has grown at its end. */
interface Gap {
  key: string
  isWhole: boolean
}

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
function isBelowPage(discussion: Discussion, id: string): boolean {
  const { ids, hasMore } = getList(discussion, LIST)
  return discussion.sort === 'new' && hasMore && id < (ids.at(-1) ?? '')
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

/** Takes a change into a discussion, and says what it leaves unknown. */
export function applyChange(
  discussion: Discussion,
  change: DiscussionChange,
): { discussion: Discussion; gaps: readonly Gap[] } {
  if (change.kind === 'posted') return { discussion: placeOnTop(discussion, change.event.comment), gaps: [] }
  const rows = patchRows(discussion.rows, change)
  const unseen = patchUnseen(discussion, change)
  const lists = rows === discussion.rows ? discussion.lists : dropGone(discussion.lists, rows)
  const next = { ...discussion, rows, unseen, lists }
  // The last that was shown has gone, and there are more below it.
  const { ids, hasMore } = getList(discussion, LIST)
  const isEmptied = ids.length > 0 && hasMore && getList(next, LIST).ids.length === 0
  const gaps = findGaps(discussion, change)
  return { discussion: next, gaps: isEmptied ? [...gaps, { key: LIST, isWhole: true }] : gaps }
}

function dropGone(lists: Discussion['lists'], rows: Discussion['rows']): Discussion['lists'] {
  const isKept = (key: string, row: Comment | undefined) =>
    row !== undefined && (isReadable(row) || (key === LIST && row.repliesCount > 0))
  return new Map(
    [...lists].map(([key, list]) => [key, { ...list, ids: list.ids.filter((id) => isKept(key, rows.get(id))) }]),
  )
}

function findGaps(discussion: Discussion, { kind, event }: DiscussionChange): readonly Gap[] {
  if (kind !== 'created' && kind !== 'status') return []
  const { rows, unseen } = discussion
  const { parentId, parentRepliesCount, commentId } = event
  const isShownAgain = kind === 'status' && event.status === 'visible'
  if (parentId === null) {
    // A page that was read meanwhile counted without it, and may have ended too early.
    if (!isShownAgain && unseen.get(commentId)) return [{ key: LIST, isWhole: true }]
    // Its text was not sent, and those who answered it name it again.
    const keys = unseen.has(commentId) ? [commentId] : [LIST, commentId]
    return isShownAgain ? keys.map((key) => ({ key, isWhole: true })) : []
  }
  // A thread whose first comment may not be read is listed again with its first reply.
  const isListed = unseen.has(parentId) || getList(discussion, LIST).ids.includes(parentId)
  const isNews = kind === 'created' ? !rows.has(commentId) : isShownAgain
  return [
    ...(parentRepliesCount === 1 && !isListed ? [{ key: LIST, isWhole: true }] : []),
    ...(isNews ? [{ key: parentId, isWhole: isShownAgain }] : []),
  ]
}

export interface ListRead {
  rows: readonly Comment[]
  total: number
}

/** Another list under a key. Rows that are shown nowhere any more are forgotten. */
function setList(
  discussion: Discussion,
  key: string,
  { read, ...changed }: Omit<List, 'wanted'> & { read: readonly Comment[] },
): Discussion {
  const { ids } = changed
  const lists = new Map(discussion.lists).set(key, { ...getList(discussion, key), ...changed })
  const fresh = new Map(read.map((comment) => [comment._id, comment]))
  const rows = new Map<string, Comment>()
  for (const id of [...lists.values()].flatMap((list) => list.ids)) {
    const row = sameOr(discussion.rows.get(id), fresh.get(id))
    if (row !== undefined) rows.set(id, row)
  }
  let { newestSeen } = discussion
  for (const id of key === LIST ? ids : []) {
    const { createdAt } = fresh.get(id) ?? { createdAt: '' }
    if (createdAt > newestSeen) newestSeen = createdAt
  }
  return { ...discussion, lists, rows, newestSeen }
}

/** The known object where a read says the same of a comment, so that a view draws nothing anew for it. */
function sameOr(known: Comment | undefined, read: Comment | undefined): Comment | undefined {
  if (known === undefined || read === undefined) return read ?? known
  return JSON.stringify(known) === JSON.stringify(read) ? known : read
}

/** Shows a read as it is: nothing is left that came since. */
export function adoptRead(discussion: Discussion, key: string, { rows: read, total }: ListRead): Discussion {
  const ids = [...new Set(read.map(({ _id }) => _id))]
  const unseen = key === LIST ? new Map() : discussion.unseen
  return setList({ ...discussion, unseen }, key, { ids, hasMore: total > ids.length, last: read.at(-1), read })
}

export const countVisible = (unseen: Discussion['unseen']) => [...unseen.values()].filter(Boolean).length

/** Which rows of a list are known, and how many of them the service counts. */
export function findKnown(discussion: Discussion, key: string) {
  const { ids } = getList(discussion, key)
  const unseen: Discussion['unseen'] = key === LIST ? discussion.unseen : new Map()
  return { ids: new Set([...ids, ...unseen.keys()]), count: ids.length + countVisible(unseen) }
}

/** Shows `count` rows behind those that are shown, except what came since. */
export function appendRead(discussion: Discussion, key: string, { rows, total }: ListRead, count: number): Discussion {
  const list = getList(discussion, key)
  const known = findKnown(discussion, key)
  const unknown = rows.filter(({ _id }) => !known.ids.has(_id))
  const read = unknown.slice(0, count)
  const last = (unknown.length > count ? read : rows).at(-1) ?? list.last
  const ids = [...list.ids, ...read.map(({ _id }) => _id)]
  return setList(discussion, key, { ids, hasMore: total > known.count + read.length, last, read })
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

/**
 * Takes a read into the top-level comments without moving them: what came since stays unseen, what is gone goes. A read of
 * several pages may have missed a comment that moved, so it stays until the next read.
 */
export function mergeRead(
  discussion: Discussion,
  { rows: read, total, pages }: ListRead & { pages: number },
): Discussion {
  const { ids: shown, wanted } = getList(discussion, LIST)
  const found = new Map(read.map((comment) => [comment._id, comment]))
  const missed = new Set(shown.filter((id) => pages > 1 && !found.has(id) && !discussion.missed.has(id)))
  const kept = shown.filter((id) => found.has(id) || missed.has(id))
  const isKept = new Set(kept)
  const isNew = ({ _id, createdAt }: Comment) =>
    !isKept.has(_id) && (discussion.unseen.has(_id) || createdAt > discussion.newestSeen)

  const news = [...found.values()].filter(isNew)
  const unseen = new Map(news.map(({ _id, status }) => [_id, status === 'visible']))
  const old = [...found.keys()].filter((id) => !unseen.has(id))
  const placed = insertInPlace(kept, old)
  const isPlaced = new Set(placed)
  const below = old.filter((id) => !isPlaced.has(id)).slice(0, Math.max(0, wanted - placed.length))
  const ids = [...placed, ...below]
  const hasMore = total > ids.length + unseen.size
  const last = read.findLast(({ _id }) => ids.includes(_id))
  return setList({ ...discussion, unseen, missed }, LIST, { ids, hasMore, last, read })
}

/**
 * Shows a comment at the top, below newer ones only, that the page has elsewhere or not at all: one of the viewer's
 * own, or one that came since.
 */
export function placeOnTop(discussion: Discussion, comment: Comment): Discussion {
  const unseen = new Map(discussion.unseen)
  unseen.delete(comment._id)
  const { ids, hasMore } = getList(discussion, LIST)
  const others = ids.filter((id) => id !== comment._id)
  const at = others.findIndex((id) => (discussion.rows.get(id)?.createdAt ?? '') < comment.createdAt)
  const placed = others.toSpliced(at === -1 ? others.length : at, 0, comment._id)
  return setList({ ...discussion, unseen }, LIST, { ids: placed, hasMore, read: [comment] })
}

export const setWanted = (discussion: Discussion, key: string, wanted: number): Discussion => ({
  ...discussion,
  lists: new Map(discussion.lists).set(key, { ...getList(discussion, key), wanted }),
})

export function dropList(discussion: Discussion, key: string): Discussion {
  const lists = new Map(discussion.lists)
  lists.delete(key)
  return { ...discussion, lists }
}
