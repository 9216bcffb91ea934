import { StartError } from '../../base/errors.ts'
import { setAdminRole } from '../../domain/auth/set-admin-role.ts'
import { runUserCommand } from './run-user-command.ts'

await runUserCommand({
  usage: 'npm run admin -- <userName> [--revoke]',
  flags: ['revoke'],

  async run(deps, { userName, flags }) {
    const isAdmin = !flags.has('revoke')
    const stored = await setAdminRole(deps, { userName, isAdmin })
    if (stored === null) throw new StartError(`There is no user ${userName}`)
    return isAdmin ? `${stored} is an admin now` : `${stored} is no admin now`
  },
})
