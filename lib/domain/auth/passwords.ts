import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { hash as hashByBcrypt, verify as verifyByBcrypt } from '@node-rs/bcrypt'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { addressKey } from '../../infrastructure/limits/address-budget.ts'

/** The hash of an unknown password, with the parameters of `hashPassword`. Verifying it takes as long as any other. */
const DECOY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$oN+qbTedOylO/4JTCmwqPg$O6+Q4BUJPFZqFVwR89IEc1a+A1TELY+7qxRcez3mkIU'

/** The highest cost of a bcrypt hash that is verified: one more doubles the time of a sign-in. */
const BCRYPT_COST_MAX = 12
const BCRYPT = /^\$2[abxy]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/

/** True for a hash of bcrypt with a cost from 4 to 12, which an import brought. The next sign-in replaces it. */
export const isBcryptHash = (passwordHash: string): boolean => BCRYPT.test(passwordHash)

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'))

async function verifyHash(passwordHash: string | undefined, password: string): Promise<boolean> {
  try {
    if (passwordHash !== undefined) {
      return await (isBcryptHash(passwordHash)
        ? verifyByBcrypt(password, passwordHash)
        : verify(passwordHash, password))
    }
  } catch {
    // A hash that neither library can read counts as none.
  }
  await verify(DECOY_HASH, password)
  return false
}

const formsOf = (password: string) => new Set([password.normalize('NFC'), password])

/**
 * True when a password matches a hash: in its normalised form, or in the form that was sent, which another program may have
 * hashed. A missing or unreadable hash matches nothing, after the same time.
 */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  for (const form of formsOf(password)) {
    if (await verifyHash(passwordHash, form)) return true
  }
  return false
}

const MEASURED_COST = 8
/** Makes room for the difference between one verification and the next. */
const MARGIN = 1.25
const CHECK_MAX_MS = 1_000

/** Estimates how long the slowest stored hash takes to verify, from one that is 16 times faster. */
export async function measureSlowestCheck(): Promise<number> {
  const begunAt = performance.now()
  await hashByBcrypt('a password', MEASURED_COST)
  const tookMs = performance.now() - begunAt
  return Math.min(tookMs * 2 ** (BCRYPT_COST_MAX - MEASURED_COST) * MARGIN, CHECK_MAX_MS)
}

interface Requester {
  account: string
  address: string
}

export type Passwords = ReturnType<typeof createPasswords>

interface Waiting extends Requester {
  begin(): void
  refuse(reason: DomainError): void
}

const CONCURRENCY = 2
const MAX_WAITING = 50
const MAX_WAITING_PER_ACCOUNT = 5

const busy = () => new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable, { retryAfter: 1 })

/**
 * Creates the bounded hashing of requests: a flood of sign-ins occupies neither every core nor the turns of other addresses.
 * An answer about one form of a password takes at least `checkMs`, whatever hash is stored.
 */
export function createPasswords({ checkMs = 0 }: { checkMs?: number | undefined } = {}) {
  /** The first one is next. */
  let waiting: Waiting[] = []
  let running = 0

  const waitingFrom = (address: string) => waiting.filter((other) => other.address === address)

  /** Refuses the newest request of the address with the most requests, in favour of an address with fewer. */
  function makeRoom({ account, address }: Requester): void {
    if (waiting.filter((other) => other.account === account).length >= MAX_WAITING_PER_ACCOUNT) throw busy()
    if (waiting.length < MAX_WAITING) return
    const [most = []] = waiting.map((other) => waitingFrom(other.address)).sort((a, b) => b.length - a.length)
    if (most.length <= waitingFrom(address).length + 1) throw busy()
    const refused = most.at(-1)
    waiting = waiting.filter((other) => other !== refused)
    refused?.refuse(busy())
  }

  function waitForTurn(requester: Requester): Promise<void> {
    makeRoom(requester)
    return new Promise((resolve, reject) => {
      waiting.push({ ...requester, begin: resolve, refuse: reject })
    })
  }

  /** Takes the first request. Other requests of its address then stand behind those of all other addresses. */
  function takeNext(): Waiting | undefined {
    const [next, ...others] = waiting
    const ofOthers = others.filter(({ address }) => address !== next?.address)
    waiting = [...ofOthers, ...others.filter(({ address }) => address === next?.address)]
    return next
  }

  async function run<T>({ account, address }: Requester, work: () => Promise<T>): Promise<T> {
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
    /** @throws DomainError UNAVAILABLE when too many wait */
    hash: (requester: Requester, password: string) => run(requester, () => hashPassword(password)),
    /** Checks a password as `isPassword` does. @throws DomainError UNAVAILABLE when too many wait */
    async isRight(requester: Requester, passwordHash: string | undefined, password: string): Promise<boolean> {
      const { isRight, endsAt } = await run(requester, async () => {
        const endsAt = performance.now() + checkMs * formsOf(password).size
        return { isRight: await isPassword(passwordHash, password), endsAt }
      })
      // The wait occupies no turn.
      await sleep(Math.max(0, endsAt - performance.now()))
      return isRight
    },
  }
}
