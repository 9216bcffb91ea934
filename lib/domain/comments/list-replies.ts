import { type Filter, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Page } from '../../contract/pages.ts'
import {
  type CommentDocument,
  THREADS_BY_STATUS,
  THREADS_NEWEST_FIRST,
} from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { heldBy, readableStatus } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findOwnHeld } from './held.ts'
import { readRows, toPage, type VotedRow } from './read-page.ts'
import { showPage } from './show-page.ts'
import { findThreadRef } from './thread-refs.ts'

const NEWEST_FIRST = { index: THREADS_NEWEST_FIRST, isReversed: false } as const
const OLDEST_FIRST = { ...NEWEST_FIRST, isReversed: true } as const

const THREAD_FIELDS = { userId: 1, status: 1, gameId: 1, repliesCount: 1 } as const
type Thread = Pick<CommentDocument, '_id' | keyof typeof THREAD_FIELDS>

interface RepliesInput extends Page {
  commentId: string
  around?: string | undefined
  after?: string | undefined
  viewer: SessionUser | null
}

/** Filters the readable replies of a thread. It names the game, because pages are dropped by game. */
type ReadableReplies = Filter<CommentDocument> & { gameId: ObjectId; parentId: ObjectId }

/** Finds the replies around one, as many before as after it. The viewer need not be able to read that one. */
async function readAround(
  deps: CommentsDeps,
  readable: ReadableReplies,
  { around, take }: { around: string; take: number },
): Promise<VotedRow[]> {
  const _id = new ObjectId(around)
  const { parentId } = readable
  const reply = await deps.db.comments.findOne({ _id, parentId }, { projection: { createdAt: 1 } })
  if (reply === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)

  const { createdAt } = reply
  const after = `0_${createdAt.toISOString()}_${around}`
  const earlierCount = Math.floor((take - 1) / 2)
  const laterCount = take - earlierCount - 1
  const [earlier, itself, later] = await Promise.all([
    earlierCount > 0 ? readRows(deps, readable, { ...NEWEST_FIRST, take: earlierCount, after }) : [],
    readRows(deps, { _id, createdAt, ...readable }, { ...OLDEST_FIRST, take: 1 }),
    readRows(deps, readable, { ...OLDEST_FIRST, take: laterCount + 1, after }),
  ])
  return [...earlier.toReversed(), ...[...itself, ...later].slice(0, laterCount + 1)]
}

/** Counts the replies that a viewer may read. The thread's own count holds the visible ones. */
async function countReadable(
  { db: { comments } }: CommentsDeps,
  { _id, gameId, repliesCount = 0 }: Thread,
  viewer: SessionUser | null,
): Promise<number> {
  const filter = { gameId, parentId: _id, status: 'hidden' as const }
  const hidden = viewer?.isAdmin ? await comments.countDocuments(filter, { hint: THREADS_BY_STATUS }) : 0
  return Math.max(0, repliesCount) + hidden
}

async function loadPage(
  deps: CommentsDeps,
  { commentId, page, take, around, after, viewer }: RepliesInput,
  heldCount: number,
) {
  const parentId = new ObjectId(commentId)
  const thread = await deps.db.comments.findOne<Thread>({ _id: parentId }, { projection: THREAD_FIELDS })
  if (thread === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  const status = { status: readableStatus(viewer) }
  const withHeld = viewer && heldCount > 0 ? { $or: [status, heldBy(viewer)] } : status
  const readable = { gameId: thread.gameId, parentId, ...withHeld }
  const [rows, total] = await Promise.all([
    around === undefined
      ? readRows(deps, readable, { ...OLDEST_FIRST, page, take, after })
      : readAround(deps, readable, { around, take }),
    countReadable(deps, thread, viewer),
  ])
  return toPage(rows, { total: total + heldCount, repliedTo: [thread] })
}

/** Lists the replies of a thread that the viewer may read, oldest first. @throws DomainError NOT_FOUND */
export async function listReplies(deps: CommentsDeps, input: RepliesInput) {
  const { commentId, page, take, around = '', after = page, viewer } = input
  const ref = await findThreadRef(deps, commentId)
  if (ref === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  const held = (await findOwnHeld(deps, ref.gameId, viewer)).filter(({ parentId }) => parentId?.equals(commentId))
  const shown = { gameId: ref.gameId.toHexString(), name: `${commentId}:${around}:${after}:${take}`, viewer, held }
  return await showPage(deps, shown, () => loadPage(deps, input, held.length))
}
