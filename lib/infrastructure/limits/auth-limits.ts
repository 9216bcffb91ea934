import type { Collection } from 'mongodb'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterMongo } from 'rate-limiter-flexible'
import { keyedHash } from '../../base/system/keyed-hash.ts'
import { createKeyedQueue } from '../concurrency/keyed-queue.ts'
import { MAX_WAIT_MS } from '../concurrency/timeouts.ts'
import type { LimitDocument } from '../db/collections/limits.ts'
import { addressKey } from './address-budget.ts'
import { takePoint } from './rate-limits.ts'

/** Checks a password; answers null when it was wrong. */
type Check<T> = () => Promise<T | null>

/**
 * Allows `limiter.points` failures of one key in the limiter's window; null is a failure. An attempt takes its point before
 * it runs and gets it back unless it failed, so parallel guesses cannot slip by. A refused attempt, whose point the limiter
 * counted, too, and one that throws get it back as well.
 */
const createAttemptLimit =
  (limiter: RateLimiterAbstract) =>
  async <T>(key: string, attempt: Check<T>): Promise<T | null> => {
    let hasFailed = false
    try {
      await takePoint(limiter, key)
      const answer = await attempt()
      hasFailed = answer === null
      return answer
    } finally {
      if (!hasFailed) await limiter.reward(key)
    }
  }

interface LogInAttempt {
  email: string
  address: string
  /** The device's own id, where that account has signed in on it before. */
  deviceId: string | null
}

export type AuthLimits = ReturnType<typeof createAuthLimits>

interface AuthLimitsOptions {
  limits: Collection<LimitDocument>
  /** Makes the hashes that are stored as keys, so that nobody reads addresses from the database. */
  secret: string
  /** How long an attempt waits for its turn: less than a request may take, so that it is still answered. */
  maxWaitMs?: number
}

const LOGIN_SECONDS = 15 * 60
const HOUR_SECONDS = 60 * 60
/** Right passwords count too, because every check costs a hash. */
const LOGINS_PER_ADDRESS = 20

/** Limits sign-ins, password guesses and sign-ups across all instances; all throw DomainError RATE_LIMITED or UNAVAILABLE. */
export function createAuthLimits({ limits, secret, maxWaitMs = MAX_WAIT_MS }: AuthLimitsOptions) {
  const storeClient = { collection: () => limits }
  /** Attempts on one account wait here, so that they do not fill the queue of hashing. */
  const turns = createKeyedQueue({ maxWaitMs })

  /** Counts in the database, or in memory while the database is unreachable. */
  function createLimiter(keyPrefix: string, points: number, duration: number): RateLimiterAbstract {
    const insuranceLimiter = new RateLimiterMemory({ keyPrefix, points, duration })
    const options = { keyPrefix, points, duration, insuranceLimiter, tableName: limits.collectionName }
    return new RateLimiterMongo({ storeClient, disableIndexesCreation: true, ...options })
  }
  const failures = (name: string, points: number) => createAttemptLimit(createLimiter(name, points, LOGIN_SECONDS))
  const byEmailAndAddress = failures('email-address', 10)
  const byEmail = failures('email', 100)
  const byDevice = failures('device', 10)
  const byDevicesOfEmail = failures('devices', 30)
  const byAddress = failures('address', 50)
  const byUser = failures('user', 10)
  const logins = createLimiter('logins', LOGINS_PER_ADDRESS, LOGIN_SECONDS)
  const exports = createLimiter('export', 5, HOUR_SECONDS)
  const signUps = createLimiter('sign-up', 60, HOUR_SECONDS)
  const toKey = (text: string) => keyedHash(secret, 'limit', text)

  return {
    /** Runs a check after the earlier ones of its account in this process; null counts as a failure. */
    async tryLogin<T>({ email, address, deviceId }: LogInAttempt, check: Check<T>): Promise<T | null> {
      const from = addressKey(address)
      // Known devices count apart, so that guesses from elsewhere do not lock them out.
      const { account, bySender, sender, byAccount } =
        deviceId === null
          ? { account: email, bySender: byEmailAndAddress, sender: `${from} ${email}`, byAccount: byEmail }
          : { account: `devices of ${email}`, bySender: byDevice, sender: deviceId, byAccount: byDevicesOfEmail }

      await takePoint(logins, toKey(`${from} ${account}`))
      const ofAddress = () => byAddress(toKey(from), check)
      const ofAccount = () => byAccount(toKey(email), ofAddress)
      return await bySender(toKey(sender), () => turns.run(account, ofAccount))
    },
    /** As `tryLogin`, for the token of a one-time link. */
    async tryLink<T>({ address }: { address: string }, check: Check<T>): Promise<T | null> {
      const from = toKey(addressKey(address))
      await takePoint(logins, toKey(`links from ${from}`))
      return await byAddress(from, check)
    },
    takeExport: ({ userId }: { userId: string }) => takePoint(exports, toKey(userId)),
    takeSignUp: ({ address }: { address: string }) => takePoint(signUps, toKey(addressKey(address))),
    /** As `tryLogin`, for the current password of a signed-in user. */
    async tryPassword<T>({ userId }: { userId: string }, check: Check<T>): Promise<T | null> {
      const key = toKey(userId)
      await takePoint(logins, key)
      return await byUser(key, () => turns.run(userId, check))
    },
  }
}
