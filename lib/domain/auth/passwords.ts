import { hash, verify } from '@node-rs/argon2'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { addressKey } from '../../infrastructure/limits/address-key.ts'

/** The hash of a password that nobody knows, with the parameters of `hashPassword`. */
const NOBODYS_HASH = '$argon2id$v=19$m=19456,t=2,p=1$oN+qbTedOylO/4JTCmwqPg$O6+Q4BUJPFZqFVwR89IEc1a+A1TELY+7qxRcez3mkIU'

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'))

async function isHashed(passwordHash: string | undefined, password: string): Promise<boolean> {
  try {
    if (passwordHash !== undefined) return await verify(passwordHash, password)
  } catch {
    // Not a hash that argon2 knows; go on as if there were none.
  }
  await verify(NOBODYS_HASH, password)
  return false
}

/**
 * Whether a password is the one that was hashed: as `hashPassword` does, or as sent, as other programs do. Without a hash,
 * or with one that cannot be read, the answer is no, and it takes as long.
 */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  for (const form of new Set([password.normalize('NFC'), password])) {
    if (await isHashed(passwordHash, form)) return true
  }
  return false
}

/** Whose password is hashed, and for whom. */
interface Asker {
  account: string
  address: string
}

/** Hashing for requests, bounded: a flood of sign-ins takes neither every core nor the turns of other addresses. */
export interface Passwords {
  /** @throws DomainError UNAVAILABLE when too many wait */
  hash(asker: Asker, password: string): Promise<string>
  /** As `isPassword`. @throws DomainError UNAVAILABLE when too many wait */
  isRight(asker: Asker, passwordHash: string | undefined, password: string): Promise<boolean>
}

interface Waiting {
  account: string
  begin(): void
  refuse(reason: DomainError): void
}

const CONCURRENCY = 2
const MAX_WAITING = 50
const MAX_WAITING_PER_ACCOUNT = 5

const busy = () => new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable, { retryAfter: 1 })

export function createPasswords(): Passwords {
  /** Who waits, by address; the first address is next. */
  const queues = new Map<string, Waiting[]>()
  let running = 0

  /** The newest that waits of the address with the most gives way to an address that has fewer. */
  function makeRoom({ account, address }: Asker): void {
    const waiting = [...queues.values()].flat()
    if (waiting.filter((each) => each.account === account).length >= MAX_WAITING_PER_ACCOUNT) throw busy()
    if (waiting.length < MAX_WAITING) return
    const [longest] = [...queues.values()].sort((a, b) => b.length - a.length)
    const own = queues.get(address)?.length ?? 0
    if (longest === undefined || longest.length <= own + 1) throw busy()
    longest.pop()?.refuse(busy())
  }

  function waitForTurn({ account, address }: Asker): Promise<void> {
    makeRoom({ account, address })
    return new Promise((resolve, reject) => {
      const own = queues.get(address) ?? []
      own.push({ account, begin: resolve, refuse: reject })
      queues.set(address, own)
    })
  }

  /** Each address has its turn after the others. */
  function takeNext(): Waiting | undefined {
    for (const [address, own] of queues) {
      const next = own.shift()
      queues.delete(address)
      if (own.length > 0) queues.set(address, own)
      return next
    }
    return undefined
  }

  async function run<T>({ account, address }: Asker, work: () => Promise<T>): Promise<T> {
    if (running < CONCURRENCY) running += 1
    else await waitForTurn({ account, address: addressKey(address) })
    try {
      return await work()
    } finally {
      const next = takeNext()
      if (next === undefined) running -= 1
      else next.begin()
    }
  }

  return {
    hash: (asker, password) => run(asker, () => hashPassword(password)),
    isRight: (asker, passwordHash, password) => run(asker, () => isPassword(passwordHash, password)),
  }
}
