import { ChangePasswordBody, Session } from '../../lib/contract/auth.ts'
import { BODY_MAX_BYTES } from '../../lib/contract/limits.ts'
import { changePassword } from '../../lib/domain/auth/change-password.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: "Replace one's own password; every other session of the user ends",
  description: 'A wrong current password is 400, not 401.',
  auth: 'user',
  body: ChangePasswordBody,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: Session,
  errors: ['INVALID', 'RATE_LIMITED', 'UNAUTHORIZED'],

  async handle({ body, user, address, cookies, deps }) {
    const { refreshTokens } = cookies
    const { userId, accessToken } = await changePassword(deps, { ...body, userId: user._id, address, refreshTokens })

    cookies.set({ accessToken })
    return { userId }
  },
})
