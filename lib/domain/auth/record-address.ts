import type { ObjectId } from 'mongodb'
import { createBoundedCache } from '../../base/values/bounded-cache.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { addressKey } from '../../infrastructure/limits/address-budget.ts'

const HOUR_MS = 60 * 60 * 1_000

export type RecordedAddresses = ReturnType<typeof createRecordedAddresses>

/** The users and addresses that this instance has stored within the last hour. */
export const createRecordedAddresses = () => createBoundedCache<true>({ entries: 100_000 })

/** Stores the address of a user at most once an hour, for the record that admins read. */
export async function recordAddress(
  { db, recordedAddresses }: { db: Database; recordedAddresses: RecordedAddresses },
  userId: ObjectId,
  sentFrom: string,
): Promise<void> {
  const address = addressKey(sentFrom)
  const key = `${userId} ${address}`
  if (recordedAddresses.has(key)) return
  await db.userAddresses.updateOne({ userId, address }, { $currentDate: { at: true } }, { upsert: true })
  recordedAddresses.set(key, true, { ttl: HOUR_MS })
}
