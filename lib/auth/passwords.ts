import { hash, verify } from '@node-rs/argon2'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

/** The hash of a password that nobody knows, with the parameters of `hashPassword`. */
const NOBODYS_HASH = '$argon2id$v=19$m=19456,t=2,p=1$oN+qbTedOylO/4JTCmwqPg$O6+Q4BUJPFZqFVwR89IEc1a+A1TELY+7qxRcez3mkIU'

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

/** Hashing for requests, bounded: a flood of sign-ins takes neither every core nor the turns of other accounts. */
export interface Passwords {
  /** @throws DomainError UNAVAILABLE when too many wait */
  hash(account: string, password: string): Promise<string>
  /** As `isPassword`. @throws DomainError UNAVAILABLE when too many wait */
  isRight(account: string, passwordHash: string | undefined, password: string): Promise<boolean>
}

const CONCURRENCY = 2
const MAX_WAITING = 50
const MAX_WAITING_PER_ACCOUNT = 5

export function createPasswords(): Passwords {
  const waiting: { account: string; begin: () => void }[] = []
  let running = 0

  function waitForTurn(account: string): Promise<void> {
    const own = waiting.filter((each) => each.account === account)
    if (waiting.length >= MAX_WAITING || own.length >= MAX_WAITING_PER_ACCOUNT) {
      throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable, { retryAfter: 1 })
    }
    return new Promise((resolve) => waiting.push({ account, begin: resolve }))
  }

  async function run<T>(account: string, work: () => Promise<T>): Promise<T> {
    if (running < CONCURRENCY) running += 1
    else await waitForTurn(account)
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next.begin()
    }
  }

  return {
    hash: (account, password) => run(account, () => hashPassword(password)),
    isRight: (account, passwordHash, password) => run(account, () => isPassword(passwordHash, password)),
  }
}
