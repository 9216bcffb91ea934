import { type Filter, ObjectId } from 'mongodb'
import {
  type StaffAction,
  type StaffActionList,
  type StaffActionsQuery,
  StaffTargetKind,
} from '../../contract/staff.ts'
import { OF_TARGET, type StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import type { StaffDeps } from './deps.ts'

const toStaffAction = ({ _id, at, admin, action, target, details }: StaffActionDocument): StaffAction => ({
  _id: _id.toHexString(),
  at: at.toISOString(),
  admin: admin && { userId: admin.userId.toHexString(), userName: admin.userName },
  action,
  target,
  details: details ?? null,
})

/** Lists the actions of staff, newest first. */
export async function listStaffActions(
  { db: { staffActions } }: Pick<StaffDeps, 'db'>,
  { page, take, admin, kind, target }: StaffActionsQuery,
): Promise<StaffActionList> {
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
  return { results: rows.map(toStaffAction), total }
}
