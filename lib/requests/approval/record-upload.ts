import type { ObjectId } from 'mongodb'
import { MESSAGES } from '../../contract/messages.ts'
import { DomainError } from '../../errors.ts'
import type { ObjectKey } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'

interface Noting {
  requestId: ObjectId
  /** Of the approval that is about to store something. */
  claimedAt: Date
  key: ObjectKey
}

/**
 * Notes on a request the key of an object that its approval is about to store, so that it can be cleared whatever happens.
 * @throws DomainError CONFLICT when the claim is lost; then nothing must be stored
 */
export async function recordUpload(
  { db }: Pick<RequestsDeps, 'db'>,
  { requestId, claimedAt, key }: Noting,
): Promise<void> {
  const { matchedCount } = await db.contentRequests.updateOne(
    { _id: requestId, status: 'pending', claimedAt },
    { $addToSet: { work: key } },
  )
  if (matchedCount === 0) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
}
