import type { Config } from '../../base/config.ts'
import { areDemoUsersAllowed, DEMO_PASSWORD, DEMO_USERS } from '../../domain/auth/demo-users.ts'
import { isPassword } from '../../domain/auth/passwords.ts'
import { ANY_CASE, isAdminBy } from '../../infrastructure/db/collections/users.ts'
import type { Database } from '../../infrastructure/db/connect.ts'

export interface DemoAccount {
  userName: string
  email: string
  password: string
  isAdmin: boolean
}

/** Whether a hash is that of the published password, by hash: hashing takes its time, and the answer never changes. */
const known = new Map<string, Promise<boolean>>()

function isPublished(hash: string): Promise<boolean> {
  const answer = known.get(hash) ?? isPassword(hash, DEMO_PASSWORD)
  known.set(hash, answer)
  answer.catch(() => known.delete(hash))
  return answer
}

/** Lists the demo users that can sign in with the published password on this machine. */
export async function listDemoAccounts({ config, db }: { config: Config; db: Database }): Promise<DemoAccount[]> {
  if (!areDemoUsersAllowed(config)) return []
  const users = await db.users
    .find({ email: { $in: [...DEMO_USERS.keys()] } }, { collation: { ...ANY_CASE }, sort: { userName: 1 } })
    .toArray()
  // Somebody else who took one's name, or one's address, is none.
  const own = users.filter(({ email, userName }) => DEMO_USERS.get(email.toLowerCase()) === userName)
  const isOffered = await Promise.all(own.map(({ passwordHash }) => isPublished(passwordHash)))
  return own
    .filter((_, index) => isOffered[index])
    .map(({ userName, email, roles }) => ({
      userName,
      email,
      password: DEMO_PASSWORD,
      isAdmin: isAdminBy(roles),
    }))
}

/** The lines to print at a start: which demo users still have the published password. */
export async function describeDemoAccounts(deps: { config: Config; db: Database }): Promise<string[]> {
  const names = (await listDemoAccounts(deps)).map(({ userName, isAdmin }) =>
    isAdmin ? `${userName} (admin)` : userName,
  )
  return names.length === 0
    ? []
    : [`Demo users: ${names.join(', ')}; e-mail <name>@example.com, password ${DEMO_PASSWORD}`]
}
