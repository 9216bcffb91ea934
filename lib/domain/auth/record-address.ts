import type { ObjectId } from 'mongodb'
import { createBoundedCache } from '../../base/values/bounded-cache.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { addressKey } from '../../infrastructure/limits/address-budget.ts'

const HOUR_MS = 60 * 60 * 1_000

export type NotedAddresses = ReturnType<typeof createNotedAddresses>

/** The users and addresses that this instance has noted within the last hour. */
export const createNotedAddresses = () => createBoundedCache<true>({ entries: 100_000 })

/** Stores from where a user is here, for the record that admins read: once an hour. */
export async function recordAddress(
  { db, notedAddresses }: { db: Database; notedAddresses: NotedAddresses },
  userId: ObjectId,
  from: string,
): Promise<void> {
  const address = addressKey(from)
  const key = `${userId} ${address}`
  if (notedAddresses.has(key)) return
  await db.userAddresses.updateOne({ userId, address }, { $currentDate: { at: true } }, { upsert: true })
  notedAddresses.set(key, true, { ttl: HOUR_MS })
}
