import { type Role, SessionProfile } from '../../lib/contract/index.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Return the user and the roles of the session',
  auth: 'user',
  response: SessionProfile,

  async handle({ viewer }) {
    const { _id, userName, isAdmin } = viewer
    const roles: Role[] = isAdmin ? ['user', 'admin'] : ['user']
    return { userId: _id.toHexString(), userName, roles }
  },
})
