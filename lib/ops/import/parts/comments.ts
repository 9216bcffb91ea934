import { ObjectId } from 'mongodb'
import { DomainError } from '../../../base/errors.ts'
import { CommentStatus } from '../../../contract/comments.ts'
import { sanitizeBody } from '../../../domain/markup/sanitize-body.ts'
import { type ImportRun, importMark, SITE_COLLECTIONS, type SiteDocument } from '../import-run.ts'
import { toId, toTimes } from '../site-values.ts'
import { insertion, type Part, type Plan, type Write } from '../take-part.ts'

const from = SITE_COLLECTIONS.comments
/** Stands for an author whom the site does not name: the comment shows none. */
const NOBODY = new ObjectId('0'.repeat(24))
const hexOf = (id: ObjectId | null) => id?.toHexString() ?? ''

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
    sentBy: importMark(),
  }
  const counting: Write[] =
    thread && status === 'visible'
      ? [
          {
            into: 'comments',
            operation: {
              updateOne: {
                filter: { _id: thread.parentId },
                update: { $inc: { repliesCount: 1, rev: 1 }, $set: { sentBy: importMark() } },
              },
            },
          },
        ]
      : []
  const counted = document.reviewId == null ? {} : { counted: 'of reviews' }
  return { writes: [insertion('comments', comment), ...counting], ...counted }
}

/** The comments that begin a thread; of a review they become threads of the game. */
export const THREADS: Part = {
  name: 'comments',
  from,
  filter: { parentId: { $in: [null, ''] } },
  into: 'comments',
  async plan(documents, run) {
    const gameIds = documents.map(({ gameId }) => toId(gameId))
    const games = await run.lookUp('games', gameIds)
    return documents.map((document, index) => {
      const game = games.get(hexOf(gameIds[index] ?? null))
      return game ? planComment(document, game._id, null) : { leftOut: 'its game is missing' }
    })
  },
}

const PLACE = ['gameId', 'parentId'] as const

/** Finds the comments that replies answer, and the threads of those that are replies themselves. */
async function findParents(run: ImportRun, documents: readonly SiteDocument[]) {
  const named = documents.flatMap(({ parentId, replyToId }) => [toId(parentId), toId(replyToId)])
  const parents = await run.lookUp('comments', named, PLACE)
  const above = await run.lookUp(
    'comments',
    [...parents.values()].map(({ parentId }) => toId(parentId)),
    PLACE,
  )
  return new Map([...above, ...parents])
}

export const REPLIES: Part = {
  ...THREADS,
  filter: { parentId: { $nin: [null, ''] } },
  async plan(documents, run) {
    const comments = await findParents(run, documents)
    const find = (id: unknown) => comments.get(hexOf(toId(id)))

    return documents.map((document) => {
      const parent = find(document.parentId)
      const thread = parent?.parentId ? find(parent.parentId) : parent
      const gameId = toId(thread?.gameId)
      if (parent === undefined || thread === undefined || gameId === null) return { leftOut: 'its parent is missing' }
      if (!toId(document.gameId)?.equals(gameId)) return { leftOut: 'its parent is of another game' }
      const parentId = thread._id
      const repliedTo = find(document.replyToId) ?? parent
      const plan = planComment(document, gameId, { parentId, replyToId: repliedTo._id })
      // A later reply of the same batch may answer this one.
      if (typeof plan === 'object' && 'writes' in plan)
        comments.set(hexOf(document._id), { _id: document._id, gameId, parentId })
      return plan
    })
  },
}
