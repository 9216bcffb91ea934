import { type Config, isLoopbackUrl } from '../config.ts'
import { DEMO_PASSWORD, seedUsers } from '../seed/data/people.ts'

const EMAILS = new Set(seedUsers.map(({ email }) => email))

/** Whether this installation may have users whose password is published: only one that nobody else reaches. */
export const areDemoUsersAllowed = ({ isProduction, publicUrl }: Pick<Config, 'isProduction' | 'publicUrl'>) =>
  !isProduction && isLoopbackUrl(publicUrl)

/** Whether a sign-in uses the published password of a demo user. */
export const isDemoLogin = ({ email, password }: { email: string; password: string }) =>
  password === DEMO_PASSWORD && EMAILS.has(email)
