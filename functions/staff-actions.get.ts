import { StaffActionList, StaffActionsQuery } from '../lib/contract/staff.ts'
import { defineFunction } from '../lib/http/define-function.ts'
import { listStaffActions } from '../lib/staff/list-staff-actions.ts'

export default defineFunction({
  summary: "List what admins did to somebody else's things, newest first",
  auth: 'admin',
  query: StaffActionsQuery,
  response: StaffActionList,
  errors: [],

  async handle({ query, deps }) {
    return listStaffActions(deps, query)
  },
})
