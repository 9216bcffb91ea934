import type { Comment, CommentSort } from '../contract/comments.ts'
import { type DiscussionChange, isReadable, patchComment } from './patch-comment.ts'

interface List {
  readonly ids: readonly string[]
  /** Number of rows that the viewer requested. */
  readonly wanted: number
  readonly hasMore: boolean
  /** The last row read of the list, as it was read. */
  readonly last?: Comment | undefined
}

/** The key of the top-level comments among the lists. */
export const LIST = ''

export interface Discussion {
  readonly sort: CommentSort
  readonly rows: ReadonlyMap<string, Comment>
  /** The top-level comments, and the replies of each open thread under the id of its first comment. */
  readonly lists: ReadonlyMap<string, List>
  /** Newer top-level comments that are not shown; false for a hidden or deleted comment. */
  readonly unseen: ReadonlyMap<string, boolean>
  /** The newest `createdAt` ever shown; a newer comment is unseen. */
  readonly newestSeen: string
  /** Shown comments that the last read of several pages lacked; removed when the next read lacks them too. */
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

/** A list that must be read after a change: as a whole, or only its new end. */
interface OutdatedList {
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

/** Drops unseen comments that belong below the page, where `more` shows them. An id begins with its creation time. */
function dropBelowPage(discussion: Discussion): Discussion {
  const { ids, hasMore } = getList(discussion, LIST)
  const last = ids.at(-1)
  if (discussion.sort !== 'new' || !hasMore || last === undefined) return discussion
  return { ...discussion, unseen: new Map([...discussion.unseen].filter(([id]) => id > last)) }
}

/** Updates the unseen comments: hidden and deleted ones stop counting, restored ones count again. */
function patchUnseen(discussion: Discussion, change: DiscussionChange): ReadonlyMap<string, boolean> {
  const { unseen, rows } = discussion
  const { commentId } = change.event
  if (change.kind === 'created' && change.event.parentId === null) {
    if (rows.has(commentId) || unseen.has(commentId)) return unseen
    return new Map(unseen).set(commentId, true)
  }
  if (change.kind !== 'status' || !unseen.has(commentId)) return unseen
  return new Map(unseen).set(commentId, change.event.status === 'visible')
}

/** Applies a change to a discussion, and answers the lists that must be read. */
export function applyChange(
  discussion: Discussion,
  change: DiscussionChange,
): { discussion: Discussion; outdated: readonly OutdatedList[] } {
  if (change.kind === 'posted') return { discussion: placeOnTop(discussion, change.event.comment), outdated: [] }
  const rows = patchRows(discussion.rows, change)
  const unseen = patchUnseen(discussion, change)
  const lists = rows === discussion.rows ? discussion.lists : dropGone(discussion.lists, rows)
  const next = dropBelowPage({ ...discussion, rows, unseen, lists })
  // The last shown comment is gone, and more follow below.
  const { ids, hasMore } = getList(discussion, LIST)
  const isEmptied = ids.length > 0 && hasMore && getList(next, LIST).ids.length === 0
  const outdated = findOutdated(discussion, change)
  return { discussion: next, outdated: isEmptied ? [...outdated, { key: LIST, isWhole: true }] : outdated }
}

function dropGone(lists: Discussion['lists'], rows: Discussion['rows']): Discussion['lists'] {
  const isKept = (key: string, row: Comment | undefined) =>
    row !== undefined && (isReadable(row) || (key === LIST && row.repliesCount > 0))
  return new Map(
    [...lists].map(([key, list]) => [key, { ...list, ids: list.ids.filter((id) => isKept(key, rows.get(id))) }]),
  )
}

/** Finds the lists to read after a change, from the discussion before it. */
function findOutdated(before: Discussion, { kind, event }: DiscussionChange): readonly OutdatedList[] {
  if (kind !== 'created' && kind !== 'status') return []
  const { rows, unseen } = before
  const { parentId, parentRepliesCount, commentId } = event
  const isShownAgain = kind === 'status' && event.status === 'visible'
  if (parentId === null) {
    // A page read meanwhile was counted without this comment, and may have ended too early.
    if (!isShownAgain && unseen.get(commentId)) return [{ key: LIST, isWhole: true }]
    // The event lacks the text, and the replies name the author again.
    const keys = unseen.has(commentId) ? [commentId] : [LIST, commentId]
    return isShownAgain ? keys.map((key) => ({ key, isWhole: true })) : []
  }
  // The first reply makes a thread with an unreadable first comment listed again.
  const isListed = unseen.has(parentId) || getList(before, LIST).ids.includes(parentId)
  const isMissing = kind === 'created' ? !rows.has(commentId) : isShownAgain
  return [
    ...(parentRepliesCount === 1 && !isListed ? [{ key: LIST, isWhole: true }] : []),
    ...(isMissing ? [{ key: parentId, isWhole: isShownAgain }] : []),
  ]
}

export interface ListRead {
  rows: readonly Comment[]
  total: number
}

/** Replaces the list of a key. Rows that no list shows any more are dropped. */
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
  const seen = key === LIST ? ids.flatMap((id) => fresh.get(id)?.createdAt ?? []) : []
  const newestSeen = seen.reduce((newest, at) => (at > newest ? at : newest), discussion.newestSeen)
  return dropBelowPage({ ...discussion, lists, rows, newestSeen })
}

/** Keeps the previous object when a read did not change a comment, so that a view does not redraw it. */
function sameOr(previous: Comment | undefined, read: Comment | undefined): Comment | undefined {
  if (previous === undefined || read === undefined) return read ?? previous
  return JSON.stringify(previous) === JSON.stringify(read) ? previous : read
}

/** Replaces a list by a read; no comment stays unseen. */
export function adoptRead(discussion: Discussion, key: string, { rows: read, total }: ListRead): Discussion {
  const ids = [...new Set(read.map(({ _id }) => _id))]
  const unseen = key === LIST ? new Map() : discussion.unseen
  return setList({ ...discussion, unseen }, key, { ids, hasMore: total > ids.length, last: read.at(-1), read })
}

export const countVisible = (unseen: Discussion['unseen']) => [...unseen.values()].filter(Boolean).length

/** Finds the local rows of a list, and how many of them the service counts. */
export function findLocal(discussion: Discussion, key: string) {
  const { ids } = getList(discussion, key)
  const unseen: Discussion['unseen'] = key === LIST ? discussion.unseen : new Map()
  return { ids: new Set([...ids, ...unseen.keys()]), count: ids.length + countVisible(unseen) }
}

/** Appends at most `count` rows of a read, except unseen ones. */
export function appendRead(discussion: Discussion, key: string, { rows, total }: ListRead, count: number): Discussion {
  const list = getList(discussion, key)
  const local = findLocal(discussion, key)
  const others = rows.filter(({ _id }) => !local.ids.has(_id))
  const read = others.slice(0, count)
  const last = (others.length > count ? read : rows).at(-1) ?? list.last
  const ids = [...list.ids, ...read.map(({ _id }) => _id)]
  return setList(discussion, key, { ids, hasMore: total > local.count + read.length, last, read })
}

/** Inserts the ids that `fresh` has before the last shown id, each behind its predecessor in `fresh`. */
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
 * Merges a read into the top-level comments without moving them: newer comments stay unseen, missing ones are removed. A
 * comment that a read of several pages lacks stays until the next read, because it may have moved between the pages.
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

  const newRows = [...found.values()].filter(isNew)
  const unseen = new Map(newRows.map(({ _id, status }) => [_id, status === 'visible']))
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
 * Shows a comment at the top, below newer ones only: a comment of the viewer, or an unseen one. The page may list it
 * elsewhere or not at all.
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
