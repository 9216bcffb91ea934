import { MongoBulkWriteError, MongoServerError } from 'mongodb'
import { type CoalescedWrites, createCoalescedWrites } from '../concurrency/coalesced-writes.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import type { Database } from '../db/connect.ts'
import { DUPLICATE_KEY } from '../db/duplicate-key.ts'
import { isDatabaseUnreachable } from '../db/is-database-unreachable.ts'

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
  const results = requests.map((): WrittenRequest => ({ outcome: 'written' }))
  try {
    await contentRequests.insertMany([...requests], { ordered: false, maxTimeMS: MAX_TIME_MS })
  } catch (error) {
    const isPartial = error instanceof MongoBulkWriteError && !isDatabaseUnreachable(error)
    if (!isPartial || error.result.getWriteConcernError() !== undefined) throw error
    for (const { index, code, errmsg = '' } of [error.writeErrors].flat()) {
      // The driver passes on the index of a refused write in the message alone.
      const isTaken = code === DUPLICATE_KEY && SLOT_KEY.test(errmsg)
      const refusal = new MongoServerError({ message: errmsg, code })
      results[index] = isTaken ? { outcome: 'slot-taken' } : { outcome: 'failed', error: refusal }
    }
  }
  return results
}

/** Makes the inserts of requests that arrive at the same time one command. */
export const createRequestWrites = (db: Pick<Database, 'contentRequests'>): RequestWrites =>
  createCoalescedWrites((requests) => writeAll(db, requests), { maxSize: MAX_SIZE })
