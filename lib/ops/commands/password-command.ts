import { resetPassword } from '../../auth/reset-password.ts'
import { StartError } from '../../errors.ts'
import { runUserCommand } from './run-user-command.ts'

await runUserCommand({
  usage: 'npm run password -- <userName>',
  flags: [],

  async run(db, { userName }) {
    const reset = await resetPassword(db, { userName })
    if (reset === null) throw new StartError(`There is no user ${userName}`)
    return `The new password of ${reset.userName}: ${reset.password}`
  },
})
