import { BODY_MAX_BYTES, EndedSession } from '../../lib/contract/index.ts'
import { endSession } from '../../lib/domain/auth/sessions/end-sessions.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'End the session of the refresh cookie and clear both cookies; without a session it only clears them',
  auth: 'public',
  accounts: 'own',
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: EndedSession,

  async handle({ cookies, deps }) {
    const { userId } = await endSession(deps, cookies)

    cookies.clear()
    return { userId }
  },
})
