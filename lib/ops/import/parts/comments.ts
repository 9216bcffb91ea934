import { ObjectId } from 'mongodb'
import { DomainError } from '../../../base/errors.ts'
import { CommentStatus } from '../../../contract/comments.ts'
import { sanitizeBody } from '../../../domain/markup/sanitize-body.ts'
import type { Found, ImportRun, SiteDocument } from '../import-run.ts'
import { toId, toTimes } from '../site-values.ts'
import { commentChange, type Part, type Plan } from '../take-part.ts'

/** Stands for an author whom the site does not name: the comment shows none. */
const NOBODY = new ObjectId('0'.repeat(24))

function toBody(status: string, body: unknown): string | DomainError {
  if (status === 'deleted') return ''
  try {
    return sanitizeBody(String(body ?? ''))
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/** Plans a comment; `thread` is the place of a reply. */
function planComment(
  document: SiteDocument,
  gameId: ObjectId,
  thread: { parentId: ObjectId; replyToId: ObjectId } | null,
): Plan {
  const { data: status } = CommentStatus.safeParse(document.status ?? 'visible')
  if (status === undefined) return { leftOut: 'its status is unknown here', detail: String(document.status) }
  const body = toBody(status, document.body)
  if (body instanceof DomainError) return { leftOut: 'its text cannot be shown', detail: body.message }
  const comment = {
    _id: document._id,
    gameId,
    userId: toId(document.userId) ?? NOBODY,
    parentId: thread?.parentId ?? null,
    replyToId: thread?.replyToId ?? null,
    body,
    isSpoiler: document.isSpoiler === true,
    likesCount: 0,
    likedBy: [],
    repliesCount: 0,
    reportsCount: 0,
    reportedBy: [],
    status,
    ...toTimes(document),
  }
  const isCounted = thread !== null && status === 'visible'
  const changes = isCounted ? [commentChange({ _id: thread.parentId }, { $inc: { repliesCount: 1, rev: 1 } })] : []
  return { document: comment, changes, ...(document.reviewId != null && { counted: 'of reviews' }) }
}

/** The comments that begin a thread; of a review they become threads of the game. */
export const THREADS: Part = {
  of: 'comments',
  filter: { parentId: { $in: [null, ''] } },
  async plan(documents, run) {
    const gameIds = documents.map(({ gameId }) => gameId)
    const findGame = await run.lookUp('games', gameIds)
    return documents.map((document) => {
      const game = findGame(document.gameId)
      return game ? planComment(document, game._id, null) : { leftOut: 'its game is missing' }
    })
  },
}

const PLACE = ['gameId', 'parentId'] as const

async function findParents(run: ImportRun, documents: readonly SiteDocument[]) {
  const named = documents.flatMap(({ parentId, replyToId }) => [parentId, replyToId])
  const findNamed = await run.lookUp('comments', named, PLACE)
  const above = named.map((id) => findNamed(id)?.parentId)
  const findAbove = await run.lookUp('comments', above, PLACE)
  return (id: unknown) => findNamed(id) ?? findAbove(id)
}

export const REPLIES: Part = {
  of: 'comments',
  filter: { parentId: { $nin: [null, ''] } },
  async plan(documents, run) {
    const findStored = await findParents(run, documents)
    /** The replies of this batch, which a later one may answer. */
    const replies = new Map<string, Found<'gameId' | 'parentId'>>()
    const find = (id: unknown) => findStored(id) ?? replies.get(toId(id)?.toHexString() ?? '')

    return documents.map((document) => {
      const parent = find(document.parentId)
      const thread = parent?.parentId ? find(parent.parentId) : parent
      const gameId = toId(thread?.gameId)
      if (parent === undefined || thread === undefined || gameId === null) return { leftOut: 'its parent is missing' }
      if (!toId(document.gameId)?.equals(gameId)) return { leftOut: 'its parent is of another game' }
      const parentId = thread._id
      const repliedTo = find(document.replyToId) ?? parent
      const plan = planComment(document, gameId, { parentId, replyToId: repliedTo._id })
      if (typeof plan === 'object' && 'document' in plan)
        replies.set(document._id.toHexString(), { _id: document._id, gameId, parentId })
      return plan
    })
  },
}
