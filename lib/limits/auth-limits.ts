import { addressKey } from './address-key.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import { createSlidingWindow } from './sliding-window.ts'

/** Checks a password; answers null when it was wrong. */
type Check<T> = () => Promise<T | null>

/** Limits of what guesses passwords or makes accounts, counted in this process. Each throws DomainError RATE_LIMITED. */
export interface AuthLimits {
  /** Runs a check that counts when it answers null. While so many are under way that it could be one too many, it waits. */
  tryLogin<T>(who: { email: string; address: string }, check: Check<T>): Promise<T | null>
  takeSignUp(attempt: { address: string }): void
  /** As `tryLogin`, for the current password of a signed-in user. */
  tryPassword<T>(who: { userId: string }, check: Check<T>): Promise<T | null>
}

const LOGIN_MINUTES = 15
const SIGN_UP_SECONDS = 3_600
/** Less than a request may take, so that one whose turn comes late is still answered. */
const MAX_WAIT_MS = 2_000

export function createAuthLimits(clock: () => Date): AuthLimits {
  const limit = (failures: number) => createAttemptLimit({ failures, minutes: LOGIN_MINUTES, clock })
  const byEmailAndAddress = limit(10)
  const byEmail = limit(100)
  const byAddress = limit(50)
  const byUser = limit(10)
  const signUps = createSlidingWindow({ limit: 60, seconds: SIGN_UP_SECONDS, clock })

  return {
    tryLogin(who, check) {
      const { email } = who
      const from = addressKey(who.address)
      const giveUpAt = performance.now() + MAX_WAIT_MS
      // Always in this order: what waits in one may hold a place in those before, never in those after.
      const third = () => byAddress(from, { attempt: check, giveUpAt })
      const second = () => byEmail(email, { attempt: third, giveUpAt })
      return byEmailAndAddress(`${from} ${email}`, { attempt: second, giveUpAt })
    },
    takeSignUp({ address }) {
      signUps.take(addressKey(address))
    },
    tryPassword: ({ userId }, check) => byUser(userId, { attempt: check, giveUpAt: performance.now() + MAX_WAIT_MS }),
  }
}
