import { endSession } from '../../../lib/auth/end-session.ts'
import { EndedSession } from '../../../lib/contract/auth.ts'
import { BODY_MAX_BYTES } from '../../../lib/contract/limits.ts'
import { UserIdParams } from '../../../lib/contract/users.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'End the session of the cookies, as older builds of the site ask for it',
  description: 'The id in the path decides nothing: the cookies say whose session it is.',
  auth: 'public',
  params: UserIdParams,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: EndedSession,
  errors: [],

  async handle({ cookies, deps }) {
    const { userId } = await endSession(deps, cookies)

    cookies.clear()
    return { userId }
  },
})
