import { addressKey } from './address-key.ts'
import { createAttemptLimit, type GiveBack, takeAll } from './attempt-limit.ts'

/** Limits of what guesses passwords or makes accounts, counted in this process. Each throws DomainError RATE_LIMITED. */
export interface AuthLimits {
  /** Taken before the password is checked, given back unless it was wrong. */
  takeLogin(attempt: { email: string; address: string }): GiveBack
  takeSignUp(attempt: { address: string }): void
  /** As `takeLogin`, for the current password of a signed-in user. */
  takePasswordCheck(attempt: { userId: string }): GiveBack
}

const LOGIN_MINUTES = 15
const SIGN_UP_MINUTES = 60

export function createAuthLimits(clock: () => Date): AuthLimits {
  const failures = (attempts: number) => createAttemptLimit({ attempts, minutes: LOGIN_MINUTES, clock })
  const byEmailAndAddress = failures(10)
  const byEmail = failures(100)
  const byAddress = failures(50)
  const byUser = failures(10)
  const signUps = createAttemptLimit({ attempts: 60, minutes: SIGN_UP_MINUTES, clock })

  return {
    takeLogin({ email, address }) {
      const from = addressKey(address)
      return takeAll([() => byEmailAndAddress(`${from} ${email}`), () => byEmail(email), () => byAddress(from)])
    },
    takeSignUp({ address }) {
      signUps(addressKey(address))
    },
    takePasswordCheck: ({ userId }) => byUser(userId),
  }
}
