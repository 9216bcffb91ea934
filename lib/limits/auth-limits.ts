import type { Collection } from 'mongodb'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterMongo } from 'rate-limiter-flexible'
import { MAX_WAIT_MS } from '../concurrency/timeouts.ts'
import type { LimitDocument } from '../db/collections/limits.ts'
import { keyedHash } from '../system/keyed-hash.ts'
import { addressKey } from './address-key.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import { takePoint } from './rate-limited.ts'

/** Checks a password; answers null when it was wrong. */
type Check<T> = () => Promise<T | null>

interface LogInAttempt {
  email: string
  address: string
  /** The device's own id, where that account has signed in on it before. */
  deviceId: string | null
}

/** Limits password guesses and sign-ups across all instances. @throws DomainError RATE_LIMITED, UNAVAILABLE */
export interface AuthLimits {
  /** Runs a check; null counts as a failure. Waits while the checks under way could exhaust the limit. */
  tryLogin<T>(attempt: LogInAttempt, check: Check<T>): Promise<T | null>
  takeSignUp(attempt: { address: string }): Promise<void>
  /** As `tryLogin`, for the current password of a signed-in user. */
  tryPassword<T>(attempt: { userId: string }, check: Check<T>): Promise<T | null>
}

interface AuthLimitsOptions {
  limits: Collection<LimitDocument>
  /** Keys are stored as hashes made with it, so that nobody reads addresses from the database. */
  secret: string
  /** How long an attempt waits for those under way: less than a request may take, so that it is still answered. */
  maxWaitMs?: number
}

const LOGIN_SECONDS = 15 * 60
const SIGN_UP_SECONDS = 60 * 60
/** Concurrent attempts per account: further ones wait here and take no hashing slot from other accounts. */
const CONCURRENCY_PER_ACCOUNT = 5

export function createAuthLimits({ limits, secret, maxWaitMs = MAX_WAIT_MS }: AuthLimitsOptions): AuthLimits {
  const storeClient = { collection: () => limits }

  /** Counts in the database; in memory while that cannot be reached. */
  function createLimiter(keyPrefix: string, points: number, duration: number): RateLimiterAbstract {
    const insuranceLimiter = new RateLimiterMemory({ keyPrefix, points, duration })
    const options = { keyPrefix, points, duration, insuranceLimiter, tableName: limits.collectionName }
    return new RateLimiterMongo({ storeClient, disableIndexesCreation: true, ...options })
  }
  const failures = (name: string, points: number, concurrency?: number) =>
    createAttemptLimit(createLimiter(name, points, LOGIN_SECONDS), concurrency)
  const byEmailAndAddress = failures('email-address', 10)
  const byEmail = failures('email', 100, CONCURRENCY_PER_ACCOUNT)
  const byDevice = failures('device', 10)
  const byDevicesOfEmail = failures('devices', 30, CONCURRENCY_PER_ACCOUNT)
  const byAddress = failures('address', 50)
  const byUser = failures('user', 10, CONCURRENCY_PER_ACCOUNT)
  const signUps = createLimiter('sign-up', 60, SIGN_UP_SECONDS)
  const toKey = (text: string) => keyedHash(secret, 'limit', text)

  return {
    tryLogin({ email, address, deviceId }, check) {
      const from = addressKey(address)
      const giveUpAt = performance.now() + maxWaitMs
      const [first, firstKey, second] =
        deviceId === null
          ? ([byEmailAndAddress, `${from} ${email}`, byEmail] as const)
          : ([byDevice, deviceId, byDevicesOfEmail] as const)

      // Fixed lock order, against deadlock: whoever waits at one limit holds places only at earlier ones.
      const third = () => byAddress(toKey(from), { attempt: check, giveUpAt })
      const ofAccount = () => second(toKey(email), { attempt: third, giveUpAt })
      return first(toKey(firstKey), { attempt: ofAccount, giveUpAt })
    },
    takeSignUp: ({ address }) => takePoint(signUps, toKey(addressKey(address))),
    tryPassword: ({ userId }, check) =>
      byUser(toKey(userId), { attempt: check, giveUpAt: performance.now() + maxWaitMs }),
  }
}
