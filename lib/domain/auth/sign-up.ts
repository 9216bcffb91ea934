import { type ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { duplicateKeyField } from '../../infrastructure/db/duplicate-key.ts'
import type { AuthDeps } from './deps.ts'
import { takeKeptSuspension } from './kept-suspension.ts'
import { type SignIn, startSession } from './sessions/start-session.ts'

function explainTaken(error: unknown): unknown {
  const field = duplicateKeyField(error)
  if (field === undefined) return error
  return new DomainError('CONFLICT', field === 'email' ? MESSAGES.emailTaken : MESSAGES.userNameTaken)
}

interface SignUpInput extends SignIn {
  userName: string
  email: string
  password: string
}

/**
 * Creates an account and starts its session. The unique indexes decide whether name and address are free. A suspension of a
 * deleted account of the same address goes on.
 * @throws DomainError FORBIDDEN when sign-up is closed, CONFLICT when either is taken, RATE_LIMITED
 */
export async function signUp(deps: AuthDeps, { userName, email, password, ...signIn }: SignUpInput) {
  const { address } = signIn
  if (!deps.config.isSignUpOpen) throw new DomainError('FORBIDDEN', MESSAGES.signUpClosed)
  await deps.authLimits.takeSignUp({ address })
  const now = deps.clock()
  const _id = new ObjectId()
  const user = {
    _id,
    userName,
    email,
    passwordHash: await deps.passwords.hash({ account: _id.toHexString(), address }, password),
    roles: ['user' as const],
    royalGames: [],
    createdAt: now,
    updatedAt: now,
  }
  const insert = async (session: ClientSession) => {
    const suspension = await takeKeptSuspension(deps, email, session)
    await deps.db.users.insertOne({ ...user, ...(suspension && { suspension }) }, { session })
  }
  await deps.db.transaction(insert).catch((error: unknown) => {
    throw explainTaken(error)
  })
  return await startSession(deps, user, signIn)
}
