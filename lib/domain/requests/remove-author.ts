import type { ObjectId } from 'mongodb'
import type { RequestsDeps } from './deps.ts'
import { CLAIM_FIELDS } from './live-claim.ts'

/**
 * Withdraws the pending requests of a user and removes the author of all of them; notes of decided ones stay. An approval
 * under way loses its claim, so it commits nothing. Claims of the user as an admin end in the same way.
 */
export async function removeAuthor({ db }: Pick<RequestsDeps, 'db'>, userId: ObjectId): Promise<void> {
  const { contentRequests } = db
  // One write changes a request, so that no approval or new request in between loses its author alone.
  await contentRequests.updateMany(
    { userId, status: { $in: ['pending', 'withdrawn'] } },
    {
      $set: { status: 'withdrawn', userId: null },
      $currentDate: { updatedAt: true },
      $unset: { note: true, slot: true, ...CLAIM_FIELDS },
    },
  )
  await contentRequests.updateMany({ userId, status: { $in: ['approved', 'rejected'] } }, { $set: { userId: null } })
  await contentRequests.updateMany({ status: 'pending', claimedBy: userId }, { $unset: CLAIM_FIELDS })
}
