import type { Comment, CommentSort } from '../contract/comments.ts'
import { type DiscussionChange, isReadable, patchComment } from './patch-comment.ts'

interface List {
  readonly comments: readonly Comment[]
  readonly wanted: number
  readonly hasMore: boolean
  /** The last comment read of the list, as it was read. */
  readonly last?: Comment | undefined
}

/** The key of the top-level comments among the lists. */
export const LIST = ''

export interface Discussion {
  readonly sort: CommentSort
  /** The top-level comments, and the replies of each open thread under the id of its first comment. */
  readonly lists: ReadonlyMap<string, List>
  /** Newer top-level comments that are not shown; false for a hidden or deleted comment. */
  readonly unseen: ReadonlyMap<string, boolean>
  /** The newest `createdAt` ever shown; a newer comment is unseen. */
  readonly newestSeen: string
}

const NO_LIST: List = { comments: [], wanted: 0, hasMore: false }

export const getList = ({ lists }: Discussion, key: string): List => lists.get(key) ?? NO_LIST

const setList = (discussion: Discussion, key: string, changes: Partial<List>): Discussion => ({
  ...discussion,
  lists: new Map(discussion.lists).set(key, { ...getList(discussion, key), ...changes }),
})

export const setWanted = (discussion: Discussion, key: string, wanted: number): Discussion =>
  setList(discussion, key, { wanted })

export const emptyDiscussion = (sort: CommentSort, wanted: number): Discussion =>
  setWanted({ sort, lists: new Map(), unseen: new Map(), newestSeen: '' }, LIST, wanted)

export function dropList(discussion: Discussion, key: string): Discussion {
  const lists = new Map(discussion.lists)
  lists.delete(key)
  return { ...discussion, lists }
}

const isShown = (discussion: Discussion, key: string, id: string) =>
  getList(discussion, key).comments.some(({ _id }) => _id === id)

/** A list that must be read after a change: as a whole, or only its new end. */
interface OutdatedList {
  key: string
  isWhole: boolean
}

/** Drops unseen comments that belong below the page, where `more` shows them. An id begins with its creation time. */
function dropBelowPage(discussion: Discussion): Discussion {
  const { comments, hasMore } = getList(discussion, LIST)
  const last = comments.at(-1)
  if (discussion.sort !== 'new' || !hasMore || last === undefined) return discussion
  return { ...discussion, unseen: new Map([...discussion.unseen].filter(([id]) => id > last._id)) }
}

/** Updates the unseen comments: hidden and deleted ones stop counting, restored ones count again. */
function patchUnseen(discussion: Discussion, change: DiscussionChange): ReadonlyMap<string, boolean> {
  const { unseen } = discussion
  const { commentId } = change.event
  if (change.kind === 'created' && change.event.parentId === null) {
    if (isShown(discussion, LIST, commentId) || unseen.has(commentId)) return unseen
    return new Map(unseen).set(commentId, true)
  }
  if (change.kind !== 'status' || !unseen.has(commentId)) return unseen
  return new Map(unseen).set(commentId, change.event.status === 'visible')
}

/** Patches the comments of a list, and removes those that are no longer listed; a list without a change stays the same. */
function patchList(key: string, list: List, change: DiscussionChange): List {
  const isListed = (comment: Comment) => isReadable(comment) || (key === LIST && comment.repliesCount > 0)
  const patched = list.comments.map((comment) => patchComment(comment, change))
  if (patched.every((comment, index) => comment === list.comments[index])) return list
  return { ...list, comments: patched.filter(isListed) }
}

export function applyChange(
  discussion: Discussion,
  change: DiscussionChange,
): { discussion: Discussion; outdated: readonly OutdatedList[] } {
  if (change.kind === 'posted') return { discussion: placeOnTop(discussion, change.event.comment), outdated: [] }
  const unseen = patchUnseen(discussion, change)
  const lists = new Map([...discussion.lists].map(([key, list]) => [key, patchList(key, list, change)]))
  const next = dropBelowPage({ ...discussion, unseen, lists })
  // An empty page is read again when more comments follow.
  const { comments, hasMore } = getList(discussion, LIST)
  const isEmptied = comments.length > 0 && hasMore && getList(next, LIST).comments.length === 0
  const outdated = findOutdated(discussion, change)
  return { discussion: next, outdated: isEmptied ? [...outdated, { key: LIST, isWhole: true }] : outdated }
}

/** Finds the lists to read after a change, from the discussion before it. */
function findOutdated(before: Discussion, { kind, event }: DiscussionChange): readonly OutdatedList[] {
  if (kind !== 'created' && kind !== 'status') return []
  const { unseen } = before
  const { parentId, parentRepliesCount, commentId } = event
  const isShownAgain = kind === 'status' && event.status === 'visible'
  if (parentId === null) {
    // A page that was read meanwhile is counted without this comment, so its end may be wrong.
    if (!isShownAgain && unseen.get(commentId)) return [{ key: LIST, isWhole: true }]
    // The event lacks the text, and the replies get the author's name back.
    const keys = unseen.has(commentId) ? [commentId] : [LIST, commentId]
    return isShownAgain ? keys.map((key) => ({ key, isWhole: true })) : []
  }
  // The first reply makes a thread with an unreadable first comment listed again.
  const isListed = unseen.has(parentId) || isShown(before, LIST, parentId)
  const isMissing = kind === 'created' ? !isShown(before, parentId, commentId) : isShownAgain
  return [
    ...(parentRepliesCount === 1 && !isListed ? [{ key: LIST, isWhole: true }] : []),
    ...(isMissing ? [{ key: parentId, isWhole: isShownAgain }] : []),
  ]
}

export interface ListRead {
  rows: readonly Comment[]
  total: number
}

/** Keeps the shown object when a read did not change a comment, so that a view does not redraw it. */
function sameOr(shown: Comment | undefined, read: Comment): Comment {
  if (shown === undefined || shown === read) return read
  return JSON.stringify(shown) === JSON.stringify(read) ? shown : read
}

function showComments(discussion: Discussion, key: string, { comments, ...changes }: Omit<List, 'wanted'>): Discussion {
  const shown = new Map(getList(discussion, key).comments.map((comment) => [comment._id, comment]))
  const kept = comments.map((comment) => sameOr(shown.get(comment._id), comment))
  const times = key === LIST ? comments.map(({ createdAt }) => createdAt) : []
  const newestSeen = times.reduce((newest, at) => (at > newest ? at : newest), discussion.newestSeen)
  return dropBelowPage(setList({ ...discussion, newestSeen }, key, { ...changes, comments: kept }))
}

export function adoptRead(discussion: Discussion, key: string, { rows, total }: ListRead): Discussion {
  const unseen = key === LIST ? new Map() : discussion.unseen
  const read = { comments: rows, hasMore: total > rows.length, last: rows.at(-1) }
  return showComments({ ...discussion, unseen }, key, read)
}

export const countVisible = (unseen: Discussion['unseen']) => [...unseen.values()].filter(Boolean).length

/** Finds the local rows of a list, and how many of them the service counts. */
export function findLocal(discussion: Discussion, key: string) {
  const { comments } = getList(discussion, key)
  const unseen: Discussion['unseen'] = key === LIST ? discussion.unseen : new Map()
  return {
    ids: new Set([...comments.map(({ _id }) => _id), ...unseen.keys()]),
    count: comments.length + countVisible(unseen),
  }
}

/** Appends at most `count` rows of a read, except unseen ones. */
export function appendRead(discussion: Discussion, key: string, { rows, total }: ListRead, count: number): Discussion {
  const list = getList(discussion, key)
  const local = findLocal(discussion, key)
  const others = rows.filter(({ _id }) => !local.ids.has(_id))
  const read = others.slice(0, count)
  const last = (others.length > count ? read : rows).at(-1) ?? list.last
  const hasMore = total > local.count + read.length
  return showComments(discussion, key, { comments: [...list.comments, ...read], hasMore, last })
}

/** Inserts the comments that `read` has before the last shown one, each behind its predecessor in `read`. */
function insertInPlace(shown: readonly Comment[], read: readonly Comment[]): Comment[] {
  const merged = [...shown]
  const last = read.findLastIndex((comment) => shown.includes(comment))
  for (const [index, comment] of read.slice(0, last + 1).entries()) {
    if (merged.includes(comment)) continue
    const predecessor = read[index - 1]
    merged.splice(predecessor === undefined ? 0 : merged.indexOf(predecessor) + 1, 0, comment)
  }
  return merged
}

/** Merges a read into the top-level comments without moving them: newer ones stay unseen, missing ones are removed. */
export function mergeRead(discussion: Discussion, { rows: read, total }: ListRead): Discussion {
  const { comments: shown, wanted } = getList(discussion, LIST)
  const found = new Map(read.map((comment) => [comment._id, comment]))
  const kept = shown.flatMap(({ _id }) => found.get(_id) ?? [])
  const isNew = (comment: Comment) =>
    !kept.includes(comment) && (discussion.unseen.has(comment._id) || comment.createdAt > discussion.newestSeen)

  const unseen = new Map(read.filter(isNew).map(({ _id, status }) => [_id, status === 'visible']))
  const old = read.filter(({ _id }) => !unseen.has(_id))
  const placed = insertInPlace(kept, old)
  const below = old.filter((comment) => !placed.includes(comment)).slice(0, Math.max(0, wanted - placed.length))
  const comments = [...placed, ...below]
  const hasMore = total > comments.length + unseen.size
  const last = read.findLast((comment) => comments.includes(comment))
  return showComments({ ...discussion, unseen }, LIST, { comments, hasMore, last })
}

/** Shows a comment at the top, below newer ones only. The page may list it elsewhere or not at all. */
export function placeOnTop(discussion: Discussion, comment: Comment): Discussion {
  const unseen = new Map(discussion.unseen)
  unseen.delete(comment._id)
  const { comments, hasMore, last } = getList(discussion, LIST)
  const others = comments.filter(({ _id }) => _id !== comment._id)
  const at = others.findIndex(({ createdAt }) => createdAt < comment.createdAt)
  const placed = others.toSpliced(at === -1 ? others.length : at, 0, comment)
  return showComments({ ...discussion, unseen }, LIST, { comments: placed, hasMore, last })
}
