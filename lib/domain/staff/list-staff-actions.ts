import { type Filter, ObjectId } from 'mongodb'
import {
  isObjectId,
  StaffAction,
  type StaffActionList,
  type StaffActionsQuery,
  StaffTargetKind,
} from '../../contract/index.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { OF_TARGET, type StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import { toExcerpt } from '../markup/to-excerpt.ts'
import type { StaffDeps } from './deps.ts'

type ReadComment = Pick<CommentDocument, '_id' | 'body' | 'isSpoiler' | 'status'>

/** Names target comments by their excerpts, which are stored nowhere else. Deleted comments and spoilers get no name. */
async function nameComments({ db }: Pick<StaffDeps, 'db'>, actions: readonly StaffAction[]) {
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

/** Lists the actions of staff, newest first. */
export async function listStaffActions(
  deps: Pick<StaffDeps, 'db'>,
  { page, take, admin, kind, target }: StaffActionsQuery,
): Promise<StaffActionList> {
  const { staffActions } = deps.db
  const filter: Filter<StaffActionDocument> = {
    ...(admin !== undefined && { 'admin.userId': new ObjectId(admin) }),
    ...(kind !== undefined && { 'target.kind': kind }),
    // The index of targets begins with their kind.
    ...(target !== undefined && {
      'target.kind': { $in: kind ? [kind] : StaffTargetKind.options },
      'target.id': target,
    }),
  }
  const options = target === undefined ? {} : { hint: OF_TARGET }
  const [rows, total] = await Promise.all([
    staffActions
      .find(filter, options)
      .sort({ at: -1, _id: -1 })
      .skip((page - 1) * take)
      .limit(take)
      .toArray(),
    Object.keys(filter).length === 0
      ? staffActions.estimatedDocumentCount()
      : staffActions.countDocuments(filter, options),
  ])
  const actions = rows.map((row) => toContract(StaffAction, row))
  return { results: await nameComments(deps, actions), total }
}
