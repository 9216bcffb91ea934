import { StaffActionList, StaffActionsQuery } from '../lib/contract/staff.ts'
import { listStaffActions } from '../lib/domain/staff/list-staff-actions.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: "List the actions of admins on other users' content, newest first",
  auth: 'admin',
  query: StaffActionsQuery,
  response: StaffActionList,

  handle: ({ query, deps }) => listStaffActions(deps, query),
})
