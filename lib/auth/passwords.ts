import { setMaxListeners } from 'node:events'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

/** The hash of a password that nobody knows, with the parameters of `hashPassword`. */
const NOBODYS_HASH = '$argon2id$v=19$m=19456,t=2,p=1$oN+qbTedOylO/4JTCmwqPg$O6+Q4BUJPFZqFVwR89IEc1a+A1TELY+7qxRcez3mkIU'

/** Hashes a password with argon2id. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/**
 * Whether a password is the one that was hashed. Without a hash, or with one that cannot be read, the answer is no, and it
 * takes as long.
 */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  try {
    if (passwordHash !== undefined) return await verify(passwordHash, password)
  } catch {
    // Not a hash that argon2 knows; go on as if there were none.
  }
  await verify(NOBODYS_HASH, password)
  return false
}

/** Hashing for requests, bounded: a flood of sign-ins takes neither every core nor the memory. */
export interface Passwords {
  /** @throws DomainError UNAVAILABLE when too many wait */
  hash(password: string): Promise<string>
  /** As `isPassword`. @throws DomainError UNAVAILABLE when too many wait */
  isRight(passwordHash: string | undefined, password: string): Promise<boolean>
}

const AT_ONCE = 2
const WAITING_MAX = 50

export function createPasswords(): Passwords {
  const semaphore = createSemaphore(AT_ONCE)
  const never = new AbortController().signal
  setMaxListeners(0, never)
  let admitted = 0

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (admitted >= AT_ONCE + WAITING_MAX) {
      throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable, { retryAfter: 1 })
    }
    admitted += 1
    try {
      return await semaphore.run(never, work)
    } finally {
      admitted -= 1
    }
  }

  return {
    hash: (password) => run(() => hashPassword(password)),
    isRight: (passwordHash, password) => run(() => isPassword(passwordHash, password)),
  }
}
