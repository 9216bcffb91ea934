import type { Comment, CommentSort } from '../contract/comments.ts'
import { TAKE_MAX } from '../contract/limits.ts'
import { ApiError } from './api-error.ts'
import type { Call } from './call.ts'
import { LIST, type ListRead } from './merge-discussion.ts'
import type { DiscussionChange } from './patch-comment.ts'

/** Makes the `after` cursor that continues a list behind a row. */
export const toCursor = ({ likesCount, createdAt, _id }: Pick<Comment, 'likesCount' | 'createdAt' | '_id'>) =>
  `${likesCount}_${createdAt}_${_id}`

type ReadPage<T> = (take: number, last: T | undefined) => Promise<{ results: T[]; total: number }>

interface PagesOptions {
  size: number
  /** Ids of rows that must be found, even beyond `size`. */
  needed?: Iterable<string>
}

/** Reads pages of a list until `size` rows and all needed rows are found, or the list ends. Each row is answered once. */
export async function readPages<T extends { _id: string }>(
  readPage: ReadPage<T>,
  { size, needed = [] }: PagesOptions,
): Promise<{ rows: T[]; total: number; pages: number }> {
  const take = Math.min(TAKE_MAX, Math.max(1, size))
  const missing = new Set(needed)
  const found = new Map<string, T>()
  let last: T | undefined
  for (let pages = 1; ; pages += 1) {
    const { results, total } = await readPage(take, last)
    const foundBefore = found.size
    for (const row of results) {
      found.set(row._id, row)
      missing.delete(row._id)
    }
    last = results.at(-1)
    const isEnd = results.length < take || found.size >= total || found.size === foundBefore
    if (isEnd || (found.size >= size && missing.size === 0)) return { rows: [...found.values()], total, pages }
  }
}

/** True when a change moves rows of a list. */
export const isShift = (key: string, { kind, event }: DiscussionChange) =>
  kind === 'likes' ? key === LIST : (kind === 'created' || kind === 'status') && (event.parentId ?? LIST) === key

/** True when a change may concern a thread. Votes and edits do not name their thread. */
export function isInThread(threadId: string, { kind, event }: DiscussionChange): boolean {
  if (kind === 'created' || kind === 'status') return (event.parentId ?? event.commentId) === threadId
  return kind !== 'posted' || event.commentId === threadId
}

export type Around = Pick<Comment, '_id' | 'parentId'>

/** Answers no rows for a comment that is unknown or no longer readable. */
function orNone(error: unknown): [] {
  if (error instanceof ApiError && error.status === 404) return []
  throw error
}

export function createDiscussionReads(call: Call, gameId: string, sort: CommentSort) {
  const readPage = (key: string, signal: AbortSignal) => (take: number, last: Comment | undefined) => {
    const query = { take, ...(last && { after: toCursor(last) }) }
    return key === LIST
      ? call('GET /games/:gameId/comments', { params: { gameId }, query: { sort, ...query }, signal })
      : call('GET /comments/:id/replies', { params: { id: key }, query, signal })
  }

  async function readWindow(id: string, around: string, wanted: number, signal: AbortSignal): Promise<ListRead> {
    const take = Math.min(TAKE_MAX, Math.max(1, wanted))
    const query = { around, take }
    const { results, total } = await call('GET /comments/:id/replies', { params: { id }, query, signal })
    return { rows: results, total: take < wanted ? results.length : total }
  }

  return {
    readPage,

    /** Reads new comments by their ids, oldest first, because `top` may list them far below the best ones. */
    async readNewest(ids: ReadonlySet<string>, spare: number, signal: AbortSignal): Promise<Comment[]> {
      const query = { sort: 'new', take: Math.min(TAKE_MAX, ids.size + spare) } as const
      const { results } = await call('GET /games/:gameId/comments', { params: { gameId }, query, signal })
      return results.filter(({ _id }) => ids.has(_id)).toReversed()
    },

    /** Reads the first comment of a thread with its first replies, or with the replies around one. */
    async readThread({ _id, parentId }: Around, wanted: number, signal: AbortSignal) {
      const id = parentId ?? _id
      const reading: Promise<ListRead> =
        parentId === null ? readPages(readPage(id, signal), { size: wanted }) : readWindow(id, _id, wanted, signal)
      const [first, replies] = await Promise.all([
        call('GET /comments/:id', { params: { id }, signal }).then((comment) => [comment], orNone),
        reading.catch((error: unknown) => ({ rows: orNone(error), total: 0 })),
      ])
      return { first: { rows: first, total: first.length }, replies }
    },
  }
}
