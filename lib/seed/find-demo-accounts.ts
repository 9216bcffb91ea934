import { DEMO_USERS } from '../auth/demo-users.ts'
import { ANY_CASE, type UserDocument } from '../db/collections/users.ts'
import type { Database } from '../db/connect.ts'

export type DemoAccount = Pick<UserDocument, '_id' | 'userName' | 'email' | 'passwordHash' | 'roles'>

/** Finds the stored demo users. Somebody else who took one's name, or one's address, is none. */
export async function findDemoAccounts({ users }: Database): Promise<DemoAccount[]> {
  const stored = await users
    .find<DemoAccount>(
      { email: { $in: [...DEMO_USERS.keys()] } },
      {
        projection: { userName: 1, email: 1, passwordHash: 1, roles: 1 },
        collation: { ...ANY_CASE },
        sort: { userName: 1 },
      },
    )
    .toArray()
  return stored.filter(({ email, userName }) => DEMO_USERS.get(email.toLowerCase()) === userName)
}
