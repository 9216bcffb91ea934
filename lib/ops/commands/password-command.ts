import { StartError } from '../../base/errors.ts'
import { resetPassword } from '../../domain/auth/reset-password.ts'
import { runUserCommand } from './run-user-command.ts'

await runUserCommand({
  usage: 'npm run password -- <userName>',
  flags: [],

  async run(deps, { userName }) {
    const reset = await resetPassword(deps, { userName })
    if (reset === null) throw new StartError(`There is no user ${userName}`)
    return `The new password of ${reset.userName}: ${reset.password}`
  },
})
