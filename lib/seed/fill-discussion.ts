import type { ObjectId } from 'mongodb'
import { sanitizeBody } from '../comments/sanitize-body.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { findDemoAccounts } from './find-demo-accounts.ts'
import { findStoredGames } from './find-stored.ts'
import { insertMissing } from './insert-missing.ts'
import { type SeedComment, seedComments } from './seed-data.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

const byKey = new Map(seedComments.map((comment) => [comment.key, comment]))

/** The key of the thread's top-level comment, its own for one itself. */
function findThreadKey({ key, replyTo }: SeedComment): string {
  const answered = replyTo === undefined ? undefined : byKey.get(replyTo)
  return answered === undefined ? key : findThreadKey(answered)
}

const isVisible = ({ status = 'visible' }: SeedComment) => status === 'visible'

interface ThreadPosition {
  gameId: ObjectId
  userId: ObjectId
  likedBy: ObjectId[]
  reportedBy: ObjectId[]
  repliesCount: number
  at: Date
}

function toDocument(
  comment: SeedComment,
  { gameId, userId, likedBy, reportedBy, repliesCount, at }: ThreadPosition,
): CommentDocument {
  const { key, replyTo, body, isSpoiler = false, status = 'visible', minutesAgo } = comment
  const writtenAt = new Date(at.getTime() - minutesAgo * 60_000)

  return {
    _id: seedId('comment', key),
    gameId,
    userId,
    parentId: replyTo === undefined ? null : seedId('comment', findThreadKey(comment)),
    replyToId: replyTo === undefined ? null : seedId('comment', replyTo),
    body: status === 'deleted' ? '' : sanitizeBody(body),
    isSpoiler,
    likesCount: likedBy.length,
    likedBy,
    repliesCount,
    reportsCount: reportedBy.length,
    ...(reportedBy.length > 0 && { reportedBy }),
    status,
    createdAt: writtenAt,
    updatedAt: writtenAt,
  }
}

/**
 * Stores the discussion of the demo users, with counts that are those of its likes and visible replies. A thread stays
 * away when its game or one of its authors does.
 */
export async function fillDiscussion({ db, at }: SeedContext): Promise<void> {
  const games = await findStoredGames(db)
  const accounts = await findDemoAccounts(db)
  const userIds = new Map(accounts.map(({ userName, _id }) => [userName, _id]))

  const documents = seedComments
    .filter(({ replyTo }) => replyTo === undefined)
    .flatMap((top) => {
      const comments = seedComments.filter((comment) => findThreadKey(comment) === top.key)
      const placed = comments.flatMap((comment) => {
        const gameId = games.get(comment.game)
        const userId = userIds.get(comment.author)
        if (gameId === undefined || userId === undefined) return []
        const toIds = (names: readonly string[] = []) => names.flatMap((name) => userIds.get(name) ?? [])
        const [likedBy, reportedBy] = [toIds(comment.likedBy), toIds(comment.reportedBy)]
        const repliesCount = comment === top ? comments.filter((each) => each !== top && isVisible(each)).length : 0
        return [toDocument(comment, { gameId, userId, likedBy, reportedBy, repliesCount, at })]
      })
      return placed.length === comments.length ? placed : []
    })
  await insertMissing(db.comments, documents)
}
