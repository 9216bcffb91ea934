import { BODY_MAX_BYTES, ChangePasswordBody, Session } from '../../lib/contract/index.ts'
import { changePassword } from '../../lib/domain/auth/change-password.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: "Replace the user's own password and end every other session of the user",
  description: 'A wrong current password is 400, not 401.',
  auth: 'user',
  suspended: 'allowed',
  accounts: 'own',
  body: ChangePasswordBody,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: Session,
  errors: ['INVALID', 'RATE_LIMITED', 'UNAUTHORIZED'],

  async handle({ body, actor, address, cookies, deps }) {
    const { refreshTokens } = cookies
    const { userId, accessToken } = await changePassword(deps, actor, { ...body, address, refreshTokens })

    cookies.set({ accessToken })
    return { userId }
  },
})
