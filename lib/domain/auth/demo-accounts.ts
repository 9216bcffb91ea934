import type { Config } from '../../base/config.ts'
import { ANY_CASE, isAdminBy, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { areDemoUsersAllowed, DEMO_PASSWORD, DEMO_USERS } from './demo-users.ts'
import { isPassword } from './passwords.ts'

/** Finds the demo users that have the published password, allowed here or not. */
export function createDemoUserSearch(db: Pick<Database, 'users'>) {
  /** Caches whether a hash is that of the published password, because hashing is slow and the result never changes. */
  const results = new Map<string, Promise<boolean>>()

  function isPublished(hash: string): Promise<boolean> {
    const result = results.get(hash) ?? isPassword(hash, DEMO_PASSWORD)
    results.set(hash, result)
    result.catch(() => results.delete(hash))
    return result
  }

  return async () => {
    const users = await db.users
      .find<UserDocument & Required<Pick<UserDocument, 'email' | 'passwordHash'>>>(
        { email: { $in: [...DEMO_USERS.keys()] } },
        { collation: { ...ANY_CASE }, sort: { userName: 1 } },
      )
      .toArray()
    // An account with the name or the address of a demo user alone is not a demo user.
    const demoUsers = users.filter(({ email, userName }) => DEMO_USERS.get(email.toLowerCase()) === userName)
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
  return names.length === 0
    ? []
    : [`Demo users: ${names.join(', ')}; e-mail <name>@example.com, password ${DEMO_PASSWORD}`]
}
