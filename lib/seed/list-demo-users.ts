import { areDemoUsersAllowed, DEMO_PASSWORD } from '../auth/demo-users.ts'
import { isPassword } from '../auth/passwords.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { findDemoAccounts } from './find-demo-accounts.ts'

export interface DemoUser {
  userName: string
  email: string
  password: string
  isAdmin: boolean
}

interface ListDemoUsers {
  isLocal: boolean
}

/** Whether a hash is that of the published password. Hashing takes its time, and a hash never becomes another password's. */
const known = new Map<string, Promise<boolean>>()

function isPublished(hash: string): Promise<boolean> {
  const answered = known.get(hash)
  if (answered !== undefined) return answered
  const answer = isPassword(hash, DEMO_PASSWORD)
  known.set(hash, answer)
  answer.catch(() => known.delete(hash))
  return answer
}

/** Lists the demo users that can sign in with the published password from where the question comes. */
export async function listDemoUsers(
  { config, db }: { config: Config; db: Database },
  { isLocal }: ListDemoUsers,
): Promise<DemoUser[]> {
  if (!isLocal || !areDemoUsersAllowed(config)) return []
  const accounts = await findDemoAccounts(db)
  const isOffered = await Promise.all(accounts.map(({ passwordHash }) => isPublished(passwordHash)))

  return accounts
    .filter((_, index) => isOffered[index])
    .map(({ userName, email, roles }) => ({
      userName,
      email,
      password: DEMO_PASSWORD,
      isAdmin: roles?.includes('admin') ?? false,
    }))
}
