import { StartError } from '../../base/errors.ts'
import { setAdminRole } from '../../domain/auth/admin-role.ts'
import { readName, runCommand } from './run-command.ts'

await runCommand({
  usage: 'npm run admin -- <userName> [--revoke]',
  options: { revoke: { type: 'boolean' } },
  read: ({ words, values }) => readName(words, (userName) => ({ userName, isAdmin: !values.revoke })),

  async run(deps, { userName, isAdmin }) {
    if (deps.config.site?.claims.admin) throw new StartError('The site gives the role of admins: see SESSION_CLAIMS')
    const stored = await setAdminRole(deps, { userName, isAdmin })
    if (stored === null) throw new StartError(`There is no user ${userName}`)
    return isAdmin ? `${stored} is an admin now` : `${stored} is no admin now`
  },
})
