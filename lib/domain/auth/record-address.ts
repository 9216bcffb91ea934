import type { LRUCache } from 'lru-cache'
import type { ObjectId } from 'mongodb'
import { createBoundedCache } from '../../base/values/bounded-cache.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { addressKey } from '../../infrastructure/limits/address-budget.ts'

const HOUR_MS = 60 * 60 * 1_000

export type NotedAddresses = LRUCache<string, true>

/** The users and addresses that this instance has noted within the last hour. */
export const createNotedAddresses = (): NotedAddresses => createBoundedCache<true>({ entries: 100_000 })

/** Stores from where a user is here, for the record that admins read. */
export async function recordAddress({ db }: { db: Database }, userId: ObjectId, address: string): Promise<void> {
  const key = { userId, address: addressKey(address) }
  await db.userAddresses.updateOne(key, { $currentDate: { at: true } }, { upsert: true })
}

/** Stores the same of a request, once an hour. Users of a site never sign in here. */
export async function recordRequestAddress(
  deps: { db: Database; notedAddresses: NotedAddresses },
  userId: ObjectId,
  address: string,
): Promise<void> {
  const key = `${userId} ${addressKey(address)}`
  if (deps.notedAddresses.has(key)) return
  await recordAddress(deps, userId, address)
  deps.notedAddresses.set(key, true, { ttl: HOUR_MS })
}
