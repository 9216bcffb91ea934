import { ANY_CASE, type UserDocument } from '../db/collections/users.ts'
import type { Database } from '../db/connect.ts'
import { seedUsers } from './seed-data.ts'

export type DemoAccount = Pick<UserDocument, '_id' | 'userName' | 'email' | 'passwordHash' | 'roles'>

/** Finds the stored demo users. Somebody else who took one's name, or one's address, is none. */
export async function findDemoAccounts({ users }: Database): Promise<DemoAccount[]> {
  const toName = new Map(seedUsers.map(({ email, userName }) => [email, userName]))
  const stored = await users
    .find<DemoAccount>(
      { email: { $in: [...toName.keys()] } },
      {
        projection: { userName: 1, email: 1, passwordHash: 1, roles: 1 },
        collation: { ...ANY_CASE },
        sort: { userName: 1 },
      },
    )
    .toArray()
  return stored.filter(({ email, userName }) => toName.get(email.toLowerCase()) === userName)
}
