import { type Config, isLoopbackUrl } from '../config.ts'

export const DEMO_PASSWORD = 'gamehall-demo'
export const DEMO_USER_NAMES: readonly string[] = ['alice', 'bob', 'carol']

const EMAILS = new Set(DEMO_USER_NAMES.map((name) => `${name}@example.com`))

/** Whether this installation may have users whose password is published: only one that nobody else reaches. */
export const areDemoUsersAllowed = ({ isProduction, publicUrl }: Pick<Config, 'isProduction' | 'publicUrl'>) =>
  !isProduction && isLoopbackUrl(publicUrl)

/** Whether a sign-in uses the published password of a demo user. */
export const isDemoLogin = ({ email, password }: { email: string; password: string }) =>
  password === DEMO_PASSWORD && EMAILS.has(email)
