import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import { id, orAbsent, orNull, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

export interface ContentRequestDocument {
  _id: ObjectId
  kind: 'game' | 'character'
  action: 'add' | 'update'
  targetId?: ObjectId | null
  /** The proposed values in the form they were sent in: ids in hex. */
  payload: Record<string, unknown>
  sources?: string[]
  note?: string | null
  status: 'pending' | 'approved' | 'rejected' | 'withdrawn'
  /** Null once the author has deleted the account. */
  userId: ObjectId | null
  /** Which of the author's pending requests it is, from 0; only while it is pending. */
  slot?: number
  /** When a running approval began, by the database's clock; while it lives nobody else decides. */
  claimedAt?: Date | null
  claimedBy?: ObjectId | null
  /** Identifies a claim whose time did not arrive. */
  claimId?: ObjectId
  /** When the approval that was settled had claimed it. */
  settledClaim?: Date
  /** Keys of objects that a running or a killed approval may have stored and that no entry refers to. */
  pendingUploads?: string[]
  appliedFields?: string[]
  /** Picked fields of which an image could not be copied; in `appliedFields` as well where another could. */
  failedFields?: string[]
  /** The last approval that failed, until the next decision; `requestId` is the HTTP request's. */
  lastFailure?: { at: Date; message: string; requestId: string } | null
  resultId?: ObjectId | null
  reason?: string | null
  decidedAt?: Date | null
  decidedBy?: ObjectId | null
  createdAt: Date
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
  readable: {
    _id: id,
    kind: z.enum(['game', 'character']),
    action: z.enum(['add', 'update']),
    status: z.enum(['pending', 'approved', 'rejected', 'withdrawn']),
    userId: orNull(id),
    payload: z.record(z.string(), z.unknown()),
    targetId: orNull(id),
    resultId: orNull(id),
    sources: orAbsent(readableArray(z.string())),
    note: orNull(z.string()),
    reason: orNull(z.string()),
    appliedFields: orAbsent(readableArray(z.string())),
    failedFields: orAbsent(readableArray(z.string())),
    claimedAt: orNull(z.date()),
    claimedBy: orNull(id),
    lastFailure: orNull(z.object({ at: z.date(), message: z.string(), requestId: z.string() })),
    createdAt: z.date(),
    decidedAt: orNull(z.date()),
    decidedBy: orNull(id),
  },
}
