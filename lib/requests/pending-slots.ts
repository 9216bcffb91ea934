import type { ObjectId } from 'mongodb'
import { MAX_TIME_MS, PENDING_SLOTS_KEPT_MS } from '../concurrency/timeouts.ts'
import { PENDING_REQUESTS_LIMIT } from '../contract/limits.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import type { Database } from '../db/connect.ts'
import { createBoundedCache } from '../values/bounded-cache.ts'

/** Finds slots for new pending requests. The unique index on slots decides; this only remembers which ones were free. */
export interface PendingSlots {
  /** A slot that was free a moment ago; undefined when the user has as many pending requests as allowed. */
  take(userId: ObjectId): Promise<number | undefined>
  /** Forgets the slots of a user, after one of them turned out to be taken. */
  forget(userId: ObjectId): void
}

const SLOTS = Array.from({ length: PENDING_REQUESTS_LIMIT }, (_, slot) => slot)
const MAX_USERS = 10_000

/**
 * The slots that further requests of a user may take, in random order, so that instances seldom meet at one. A pending
 * request without a slot, of an older release, keeps the last free one empty: nobody can pass the limit.
 */
function listFree(pending: readonly Pick<ContentRequestDocument, 'slot'>[]): number[] {
  const taken = new Set(pending.map(({ slot }) => slot))
  return SLOTS.filter((slot) => !taken.has(slot))
    .slice(0, Math.max(0, PENDING_REQUESTS_LIMIT - pending.length))
    .map((slot) => ({ slot, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ slot }) => slot)
}

export function createPendingSlots({ contentRequests }: Pick<Database, 'contentRequests'>): PendingSlots {
  const remembered = createBoundedCache<Promise<number[]>>({ entries: MAX_USERS, ttl: PENDING_SLOTS_KEPT_MS })

  async function read(userId: ObjectId): Promise<number[]> {
    const options = { projection: { _id: 0, slot: 1 }, maxTimeMS: MAX_TIME_MS }
    return listFree(await contentRequests.find({ userId, status: 'pending' }, options).toArray())
  }

  return {
    async take(userId) {
      const key = userId.toHexString()
      const earlier = remembered.get(key)
      if (earlier !== undefined) {
        const slot = (await earlier).pop()
        if (slot !== undefined) return slot
      }

      // Only a read of its own refuses a request: a shared one may have begun before a withdrawal.
      const reading = read(userId)
      remembered.set(key, reading)
      try {
        return (await reading).pop()
      } catch (error) {
        remembered.delete(key)
        throw error
      }
    },
    forget: (userId) => void remembered.delete(userId.toHexString()),
  }
}
