import type { StaffAction } from '../../contract/staff.ts'
import type { StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'

export const toStaffAction = ({ _id, at, admin, action, target, details }: StaffActionDocument): StaffAction => ({
  _id: _id.toHexString(),
  at: at.toISOString(),
  admin: admin && { userId: admin.userId.toHexString(), userName: admin.userName },
  action,
  target,
  details: details ?? null,
})
