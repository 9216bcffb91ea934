import { ObjectId } from 'mongodb'
import { DEMO_PASSWORD } from '../auth/demo-users.ts'
import { hashPassword } from '../auth/passwords.ts'
import { isDuplicateKey } from '../db/duplicate-key.ts'
import { findDemoAccounts } from './find-demo-accounts.ts'
import { seedUsers } from './seed-data.ts'
import type { SeedContext } from './seed-part.ts'

/** Stores the demo users, unless somebody else has the name or the address of one. */
export async function fillUsers({ db, at, print }: SeedContext): Promise<void> {
  // One hash for all: the password is the same, and published.
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  for (const user of seedUsers) {
    await db.users
      .insertOne({ _id: new ObjectId(), ...user, passwordHash, createdAt: at, updatedAt: at })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
  }
  const stored = (await findDemoAccounts(db)).map(({ userName }) => userName)
  const refused = seedUsers.filter(({ userName }) => !stored.includes(userName))
  for (const { userName } of refused) print(`Left out: ${userName}, whose name or address somebody else has`)
}
