import { BODY_MAX_BYTES, Session } from '../../lib/contract/index.ts'
import { refreshSession } from '../../lib/domain/auth/sessions/refresh-session.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary:
    'Exchange the refresh cookie for a new access cookie and a new refresh cookie; only for a new access cookie when another tab has exchanged it within 10 seconds',
  description: 'A refusal clears both cookies.',
  auth: 'public',
  accounts: 'own',
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: Session,
  errors: ['UNAUTHORIZED'],

  async handle({ cookies, address, header, deps }) {
    const { userId, ...tokens } = await refreshSession(deps, {
      refreshTokens: cookies.refreshTokens,
      address,
      userAgent: header('user-agent'),
      whenEnded: cookies.clear,
    })

    cookies.set(tokens)
    return { userId }
  },
})
