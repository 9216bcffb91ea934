import type { Config } from '../../base/config.ts'
import { isLoopbackUrl } from '../../base/settings.ts'
import { ANY_CASE, isAdminBy, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { isPassword } from './passwords.ts'

export const DEMO_PASSWORD = 'gamehall-demo'
export const DEMO_USERS: ReadonlyMap<string, string> = new Map(
  ['alice', 'bob', 'carol', 'dave'].map((name) => [`${name}@example.com`, name]),
)

/** True when this installation may have users with a published password: nobody else can reach it. */
export const areDemoUsersAllowed = ({ isProduction, publicUrl }: Pick<Config, 'isProduction' | 'publicUrl'>) =>
  !isProduction && isLoopbackUrl(publicUrl)

export const isDemoLogin = ({ email, password }: { email: string; password: string }) =>
  password === DEMO_PASSWORD && DEMO_USERS.has(email)

type Account = UserDocument & Required<Pick<UserDocument, 'email' | 'passwordHash'>>

/** Finds the demo users that have the published password, allowed here or not. */
export function createDemoUserSearch({ users }: Pick<Database, 'users'>) {
  /** The results of earlier checks by hash, because a check is slow and its result never changes. */
  const results = new Map<string, boolean>()

  async function isPublished(hash: string): Promise<boolean> {
    const result = results.get(hash) ?? (await isPassword(hash, DEMO_PASSWORD))
    results.set(hash, result)
    return result
  }

  return async () => {
    const filter = { email: { $in: [...DEMO_USERS.keys()] } }
    const found = await users.find<Account>(filter, { collation: ANY_CASE, sort: { userName: 1 } }).toArray()
    // An account with the name or the address of a demo user alone is not a demo user.
    const demoUsers = found.filter(({ email, userName }) => DEMO_USERS.get(email.toLowerCase()) === userName)
    const isOffered = await Promise.all(demoUsers.map(({ passwordHash }) => isPublished(passwordHash)))
    return demoUsers
      .filter((_, index) => isOffered[index])
      .map(({ userName, email, roles }) => ({ userName, email, password: DEMO_PASSWORD, isAdmin: isAdminBy(roles) }))
  }
}

/** Lists the demo users that can sign in on this machine. */
export function createDemoAccounts({ config, db }: { config: Config; db: Pick<Database, 'users'> }) {
  const find = createDemoUserSearch(db)
  return async () => (areDemoUsersAllowed(config) ? await find() : [])
}

/** Describes the demo users that still have the published password, in the lines to print at a start. */
export async function describeDemoAccounts(deps: { config: Config; db: Database }): Promise<string[]> {
  const accounts = await createDemoAccounts(deps)()
  const names = accounts.map(({ userName, isAdmin }) => (isAdmin ? `${userName} (admin)` : userName))
  if (names.length === 0) return []
  return [`Demo users: ${names.join(', ')}; e-mail <name>@example.com, password ${DEMO_PASSWORD}`]
}
