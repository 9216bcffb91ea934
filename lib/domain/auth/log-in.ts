import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { ANY_CASE, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import { areDemoUsersAllowed, isDemoLogin } from './demo-users.ts'
import type { AuthDeps } from './deps.ts'
import { findDeviceId } from './known-devices.ts'
import { isBcryptHash } from './passwords.ts'
import { type SignIn, startSession } from './sessions/start-session.ts'

interface LogInInput extends SignIn {
  email: string
  password: string
  /** True when the request comes from this machine, through no proxy. */
  isLocal: boolean
}

/** An account of this service. Users of the site have neither address nor password here. */
type Account = Required<Pick<UserDocument, '_id' | 'email' | 'passwordHash'>> & Pick<UserDocument, 'passwordChange'>

async function findAccount({ db }: AuthDeps, email: string): Promise<Account | null> {
  const found = await db.users.findOne<Account>(
    { email },
    { collation: ANY_CASE, projection: { email: 1, passwordHash: 1, passwordChange: 1 } },
  )
  // The index also matches look-alikes (wide or invisible letters), each of which would get limits of its own.
  return found?.email.normalize('NFC').toLowerCase() === email ? found : null
}

async function checkPassword(deps: AuthDeps, account: Account | null, input: LogInInput) {
  const { email, password, address, isLocal } = input
  const requester = { account: account?._id.toHexString() ?? email, address }
  if (!(await deps.passwords.isRight(requester, account?.passwordHash, password))) return null
  const isRefusedDemo = isDemoLogin({ email, password }) && !(isLocal && areDemoUsersAllowed(deps.config))
  return isRefusedDemo ? null : account
}

/** Replaces a bcrypt hash, because only a sign-in brings the password. When too many hashes wait, a later sign-in replaces it. */
async function renewHash({ db, passwords }: AuthDeps, account: Account, { password, address }: LogInInput) {
  const { _id, passwordHash } = account
  if (!isBcryptHash(passwordHash)) return
  const renewed = await passwords.hash({ account: _id.toHexString(), address }, password).catch(() => null)
  if (renewed !== null) await db.users.updateOne({ _id, passwordHash }, { $set: { passwordHash: renewed } })
}

/**
 * Starts a session for an e-mail address and a password. A wrong address and a wrong password get the same answer after the
 * same time. A device that the account has used before has limits of its own, so strangers cannot lock the account out.
 * @throws DomainError UNAUTHORIZED, RATE_LIMITED after too many failed attempts, UNAVAILABLE when too many wait
 */
export async function logIn(deps: AuthDeps, input: LogInInput) {
  const { email, address, browser } = input
  const account = await findAccount(deps, email)
  const deviceId = account && findDeviceId(deps, browser.knownDevices, account)
  const user = await deps.authLimits.tryLogin({ email, address, deviceId }, () => checkPassword(deps, account, input))
  if (user === null) throw new DomainError('UNAUTHORIZED', MESSAGES.loginRefused)

  await renewHash(deps, user, input)
  return await startSession(deps, user, input)
}
