import { SessionProfile } from '../../lib/contract/auth.ts'
import type { Role } from '../../lib/contract/users.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Return the user and the roles of the session',
  auth: 'user',
  response: SessionProfile,
  errors: [],

  async handle({ viewer }) {
    const { _id, userName, isAdmin } = viewer
    const roles: Role[] = isAdmin ? ['user', 'admin'] : ['user']
    return { userId: _id.toHexString(), userName, roles }
  },
})
