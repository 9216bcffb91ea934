import { BODY_MAX_BYTES, EndedSession, UserIdParams } from '#lib/contract/index'
import { endSession } from '#lib/domain/auth/sessions/end-sessions'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'End the session of the cookies, as older builds of the site do',
  description: 'The id in the path is ignored: the cookies determine the session.',
  auth: 'public',
  accounts: 'own',
  params: UserIdParams,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: EndedSession,

  async handle({ cookies, deps }) {
    const { userId } = await endSession(deps, cookies)

    cookies.clear()
    return { userId }
  },
})
