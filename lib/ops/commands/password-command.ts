import { StartError } from '../../base/errors.ts'
import { resetPassword } from '../../domain/auth/reset-password.ts'
import { readName, runCommand } from './run-command.ts'

await runCommand({
  usage: 'npm run password -- <userName>',
  options: {},
  read: ({ words }) => readName(words, (userName) => ({ userName })),

  async run(deps, { userName }) {
    const reset = await resetPassword(deps, { userName })
    if (reset === null) throw new StartError(`There is no user ${userName}`)
    return `The new password of ${reset.userName}: ${reset.password}`
  },
})
