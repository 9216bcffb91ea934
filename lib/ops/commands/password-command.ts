import { StartError } from '../../base/errors.ts'
import { makeResetLink } from '../../domain/auth/reset-link.ts'
import { resetPassword } from '../../domain/auth/reset-password.ts'
import { readName, runCommand } from './run-command.ts'

await runCommand({
  usage: 'npm run password -- <userName> [--link]',
  options: { link: { type: 'boolean' } },
  read: ({ words, values: { link } }) => readName(words, (userName) => ({ userName, isLink: link === true })),

  async run(deps, { userName, isLink }) {
    if (isLink) {
      const { publicUrl } = deps.config
      const { url, expiresAt } = await makeResetLink(deps, { actor: null, filter: { userName }, publicUrl })
      return `Until ${expiresAt}, once: ${url}`
    }
    const reset = await resetPassword(deps, { userName })
    if (reset === null) throw new StartError(`There is no user ${userName}`)
    return `The new password of ${reset.userName}: ${reset.password}`
  },
})
