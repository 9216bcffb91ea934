import { BODY_MAX_BYTES, Session, SignUpBody } from '../../lib/contract/index.ts'
import { signUp } from '../../lib/domain/auth/sign-up.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Create an account and start its session, in two cookies',
  auth: 'public',
  accounts: 'own',
  body: SignUpBody,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: Session,
  errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],

  async handle({ body, header, address, cookies, deps }) {
    const { userId, ...tokens } = await signUp(deps, {
      ...body,
      address,
      browser: cookies,
      userAgent: header('user-agent'),
    })

    cookies.set(tokens)
    return { userId }
  },
})
