import type { Config } from '../../base/config.ts'
import { isLoopbackUrl } from '../../base/settings.ts'

export const DEMO_PASSWORD = 'gamehall-demo'
export const DEMO_USERS: ReadonlyMap<string, string> = new Map(
  ['alice', 'bob', 'carol', 'dave'].map((name) => [`${name}@example.com`, name]),
)

/** True when this installation may have users with a published password: nobody else can reach it. */
export const areDemoUsersAllowed = ({ isProduction, publicUrl }: Pick<Config, 'isProduction' | 'publicUrl'>) =>
  !isProduction && isLoopbackUrl(publicUrl)

export const isDemoLogin = ({ email, password }: { email: string; password: string }) =>
  password === DEMO_PASSWORD && DEMO_USERS.has(email)
