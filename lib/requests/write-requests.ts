import { type CoalescedWrites, createCoalescedWrites } from '../concurrency/coalesced-writes.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import type { Database } from '../db/connect.ts'
import { isDuplicateKey } from '../db/duplicate-key.ts'
import { refusedWrites } from '../db/refused-writes.ts'

type WrittenRequest = { outcome: 'written' } | { outcome: 'slot-taken' } | { outcome: 'failed'; error: unknown }

/** Inserts pending requests with their slots; a slot that another request has is the refusal of that one request. */
export type RequestWrites = CoalescedWrites<ContentRequestDocument, WrittenRequest>

/** A body has 1 MB at most, and a message to the database 48 MB. */
const MAX_SIZE = 20
/** An older release may have made the index under another name. */
const SLOT_KEY = /dup key: \{ userId: .*, slot: /

async function writeAll(
  { contentRequests }: Pick<Database, 'contentRequests'>,
  requests: readonly ContentRequestDocument[],
): Promise<WrittenRequest[]> {
  const options = { ordered: false, maxTimeMS: MAX_TIME_MS }
  const refused = await refusedWrites(() => contentRequests.insertMany([...requests], options))

  return requests.map((_, index): WrittenRequest => {
    const error = refused.get(index)
    if (error === undefined) return { outcome: 'written' }
    return isDuplicateKey(error) && SLOT_KEY.test(error.message)
      ? { outcome: 'slot-taken' }
      : { outcome: 'failed', error }
  })
}

/** Makes the inserts of requests that arrive at the same time one command. */
export const createRequestWrites = (db: Pick<Database, 'contentRequests'>): RequestWrites =>
  createCoalescedWrites((requests) => writeAll(db, requests), { maxSize: MAX_SIZE })
