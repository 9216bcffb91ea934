import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import { id, orAbsent, orNull, orNullish, type ReadBy, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

const readable = {
  _id: id,
  kind: z.enum(['game', 'character']),
  action: z.enum(['add', 'update']),
  status: z.enum(['pending', 'approved', 'rejected', 'withdrawn']),
  userId: orNull(id),
  /** The proposed values in the form they were sent in: ids in hex. */
  payload: z.record(z.string(), z.unknown()),
  targetId: orNullish(id),
  resultId: orNullish(id),
  sources: orAbsent(readableArray(z.string())),
  note: orNullish(z.string()),
  reason: orNullish(z.string()),
  appliedFields: orAbsent(readableArray(z.string())),
  /** Picked fields with an image that could not be copied. A field with another image that was copied is in `appliedFields`, too. */
  failedFields: orAbsent(readableArray(z.string())),
  /** The begin of a running approval, by the database's clock. While the claim is valid, nobody else can decide. */
  claimedAt: orNullish(z.date()),
  claimedBy: orNullish(id),
  /** The last approval that failed, until the next decision; `requestId` is the HTTP request's. */
  lastFailure: orNullish(z.object({ at: z.date(), message: z.string(), requestId: z.string() })),
  createdAt: z.date(),
  decidedAt: orNullish(z.date()),
  decidedBy: orNullish(id),
}

export interface ContentRequestDocument extends ReadBy<typeof readable> {
  /** The place among the author's pending requests, from 0. Absent once the request is decided. */
  slot?: number
  /** Identifies the claim, also where the answer with its time was lost. */
  claimId?: ObjectId
  settledClaim?: Date
  /** Keys of objects that a running or a killed approval may have stored and that no entry refers to. */
  pendingUploads?: string[]
  updatedAt?: Date
}

/** Requests by status, kind and age. Lists of several statuses or kinds merge its ranges, and every list counts on it. */
export const QUEUE = { status: 1, kind: 1, createdAt: 1, _id: 1 } as const
export const BY_USER_NEWEST_FIRST = { userId: 1, createdAt: -1, _id: -1 } as const

export const contentRequests: CollectionDefinition<ContentRequestDocument> = {
  name: 'contentRequests',
  indexes: [
    {
      key: { userId: 1, slot: 1 },
      name: 'slot_unique',
      unique: true,
      // A decided request frees its slot.
      partialFilterExpression: { status: 'pending', slot: { $gte: 0 } },
    },
    // The slot is in the index, so that pending requests are counted without reading a payload.
    { key: { userId: 1, status: 1, slot: 1 } },
    { key: BY_USER_NEWEST_FIRST },
    { key: QUEUE },
    // A start finds what it has to clean up without reading the queue.
    { key: { pendingUploads: 1 }, partialFilterExpression: { pendingUploads: { $gt: '' } } },
  ],
  lists: ['pendingUploads'],
  readable,
}
