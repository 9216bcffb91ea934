import { type AnyBulkWriteOperation, ObjectId } from 'mongodb'
import { type CoalescedWrites, createCoalescedWrites } from '../concurrency/coalesced-writes.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import type { Database } from '../db/connect.ts'
import { mapByIds } from '../db/find-by-ids.ts'
import { refusedWrites } from '../db/refused-writes.ts'
import { hasCode } from '../system/has-code.ts'

export interface LikeToWrite {
  commentId: ObjectId
  voter: ObjectId
  isActive: boolean
  /** The announcement that the write carries. */
  said: string
}

type Likes = Pick<CommentDocument, 'likesCount' | 'rev'>

/**
 * `unchanged`: the comment takes no like of this voter, or has it as it is wanted. `uncounted`: it is written, and its count
 * could not be read.
 */
export type WrittenLike =
  | { outcome: 'written'; likesCount: number; rev: number | undefined }
  | { outcome: 'unchanged' }
  | { outcome: 'uncounted'; error: unknown }
  | { outcome: 'failed'; error: unknown }

/** Sets and takes back likes; vote and count are one update of the comment. */
export type LikeWrites = CoalescedWrites<LikeToWrite, WrittenLike>

const toWritten = (after: Likes | null | undefined): WrittenLike =>
  after ? { outcome: 'written', likesCount: after.likesCount, rev: after.rev } : { outcome: 'unchanged' }

type LikesDatabase = Pick<Database, 'comments'>

const IMMUTABLE_FIELD = 66
/** A comment that another program holds in a transaction holds up the likes of its command. */
const MAX_SIZE = 25
const LIKES = { likesCount: 1, rev: 1 } as const

const toFilter = ({ commentId, voter, isActive }: LikeToWrite) => ({
  _id: commentId,
  status: 'visible' as const,
  userId: { $ne: voter },
  likedBy: isActive ? { $ne: voter } : { $in: [voter] },
})

const toUpdate = ({ voter, isActive, said }: LikeToWrite) =>
  isActive
    ? { $push: { likedBy: voter }, $inc: { likesCount: 1, rev: 1 }, $set: { said } }
    : { $pull: { likedBy: voter }, $inc: { likesCount: -1, rev: 1 }, $set: { said } }

async function writeOne({ comments }: LikesDatabase, like: LikeToWrite): Promise<WrittenLike> {
  const after = await comments.findOneAndUpdate(toFilter(like), toUpdate(like), {
    returnDocument: 'after',
    projection: LIKES,
    maxTimeMS: MAX_TIME_MS,
  })
  return toWritten(after)
}

/**
 * A command of many updates tells how many matched, not which. So each that does not match tries to insert a comment of
 * another id than its filter's, which the database always refuses, by its place in the command.
 */
function toOperation(like: LikeToWrite): AnyBulkWriteOperation<CommentDocument> {
  const update = { ...toUpdate(like), $setOnInsert: { _id: new ObjectId() } }
  return { updateOne: { filter: toFilter(like), update, upsert: true } }
}

async function writeAll(db: LikesDatabase, likes: readonly LikeToWrite[]): Promise<WrittenLike[]> {
  const [only] = likes
  // One command in place of two, where there is nothing to share.
  if (only !== undefined && likes.length === 1) return [await writeOne(db, only)]

  const { comments } = db
  const options = { ordered: false, maxTimeMS: MAX_TIME_MS }
  const refused = await refusedWrites(() => comments.bulkWrite(likes.map(toOperation), options))
  const ids = likes.filter((_, index) => !refused.has(index)).map(({ commentId }) => commentId)
  const counts = await mapByIds<Likes & { _id: ObjectId }>(comments, ids, LIKES).catch((error: unknown) => ({ error }))

  return likes.map(({ commentId }, index): WrittenLike => {
    const error = refused.get(index)
    if (error !== undefined)
      return hasCode(error, IMMUTABLE_FIELD) ? { outcome: 'unchanged' } : { outcome: 'failed', error }
    if ('error' in counts) return { outcome: 'uncounted', error: counts.error }
    // Nothing is found of a comment that another program has deleted since.
    return toWritten(counts.get(commentId.toHexString()))
  })
}

/** Makes the likes that arrive at the same time, each of another comment, one command. */
export const createLikeWrites = (db: LikesDatabase): LikeWrites =>
  createCoalescedWrites((likes) => writeAll(db, likes), { maxSize: MAX_SIZE })
