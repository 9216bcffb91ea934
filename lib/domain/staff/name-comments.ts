import { ObjectId } from 'mongodb'
import { isObjectId } from '../../contract/object-id.ts'
import type { StaffAction } from '../../contract/staff.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { toExcerpt } from '../markup/to-excerpt.ts'
import type { StaffDeps } from './deps.ts'

type ReadComment = Pick<CommentDocument, '_id' | 'body' | 'isSpoiler' | 'status'>

/** Names target comments by their excerpts, which are stored nowhere else. Deleted comments and spoilers get no name. */
export async function nameComments(
  { db }: Pick<StaffDeps, 'db'>,
  actions: readonly StaffAction[],
): Promise<StaffAction[]> {
  const ids = actions.flatMap(({ target }) =>
    target.kind === 'comment' && isObjectId(target.id) ? new ObjectId(target.id) : [],
  )
  const comments = await mapByIds<ReadComment>(db.comments, ids, { body: 1, isSpoiler: 1, status: 1 })
  return actions.map((action) => {
    const { target } = action
    const comment = target.kind === 'comment' ? comments.get(target.id) : undefined
    if (comment === undefined || comment.status === 'deleted' || comment.isSpoiler) return action
    return { ...action, target: { ...target, name: toExcerpt(comment.body) } }
  })
}
