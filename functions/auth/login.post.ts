import { BODY_MAX_BYTES, LogInBody, Session } from '../../lib/contract/index.ts'
import { logIn } from '../../lib/domain/auth/log-in.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Start a session, in two cookies',
  description: 'A wrong address and a wrong password get the same answer.',
  auth: 'public',
  accounts: 'own',
  body: LogInBody,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: Session,
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],

  async handle({ body, header, address, isLocal, cookies, deps }) {
    const { userId, ...tokens } = await logIn(deps, {
      ...body,
      address,
      isLocal,
      browser: cookies,
      userAgent: header('user-agent'),
    })

    cookies.set(tokens)
    return { userId }
  },
})
