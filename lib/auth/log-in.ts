import { MESSAGES } from '../contract/messages.ts'
import { ANY_CASE } from '../db/collections/users.ts'
import { DomainError } from '../errors.ts'
import { areDemoUsersAllowed, isDemoLogin } from './demo-users.ts'
import type { AuthDeps } from './deps.ts'
import { isPassword } from './passwords.ts'
import { type StartedSession, startSession } from './start-session.ts'

interface Credentials {
  /** In lower case. */
  email: string
  password: string
  isForwarded: boolean
}

async function findUserBy(deps: AuthDeps, { email, password, isForwarded }: Credentials) {
  const found = await deps.db.users.findOne(
    { email },
    { collation: ANY_CASE, projection: { email: 1, passwordHash: 1, passwordChange: 1 } },
  )
  // The index also takes look-alikes for equal (wide letters, invisible ones), which would each get limits of their own.
  const user = found?.email.normalize('NFC').toLowerCase() === email ? found : null

  if (!(await isPassword(user?.passwordHash, password))) return null
  const isRefusedDemo = isDemoLogin({ email, password }) && (isForwarded || !areDemoUsersAllowed(deps.config))
  return isRefusedDemo ? null : user
}

interface LogIn extends Credentials {
  address: string
  replaced: readonly string[]
}

/**
 * Begins a session for an e-mail address and a password. A wrong address and a wrong password look the same and take the
 * same time.
 * @throws DomainError UNAUTHORIZED, RATE_LIMITED after too many wrong ones
 */
export async function logIn(deps: AuthDeps, { address, replaced, ...credentials }: LogIn): Promise<StartedSession> {
  const { email } = credentials
  const user = await deps.authLimits.tryLogin({ email, address }, () => findUserBy(deps, credentials))
  if (user === null) throw new DomainError('UNAUTHORIZED', MESSAGES.loginRefused)

  return await startSession(deps, { user, replaced })
}
