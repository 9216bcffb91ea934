import type { ClientSession } from 'mongodb'
import type { SessionUser } from '../../auth/session-user.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { DomainError } from '../../errors.ts'
import type { ObjectKey } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'
import type { PlannedWrite, WrittenEntry } from './approval-context.ts'
import type { ClaimedRequest } from './claim.ts'
import { type HeldLease, HOLD_MS } from './create-approval-context.ts'

interface Settling {
  request: ClaimedRequest
  admin: SessionUser
  appliedFields: readonly string[]
  reason: string | null
  plan: PlannedWrite
  /** The keys that this approval noted. */
  stored: readonly ObjectKey[]
  held: readonly HeldLease[]
  signal: AbortSignal
}

const isOf =
  ({ resultId }: WrittenEntry) =>
  (key: ObjectKey) =>
    key.split('/')[1] === resultId.toHexString()

/** Prolongs the leases: whoever would take one meanwhile waits for the end of the transaction. */
async function assertHeld(
  { leases }: RequestsDeps['db'],
  held: readonly HeldLease[],
  session: ClientSession,
): Promise<void> {
  for (const lease of held) {
    const until = { $add: ['$$NOW', HOLD_MS] }
    const { matchedCount } = await leases.updateOne({ ...lease }, [{ $set: { until } }], { session })
    if (matchedCount === 0) throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
  }
}

/**
 * Settles a request and writes its entry in one transaction, which holds only while the claim is its own. What nothing
 * refers to then stays noted on the request, to be deleted.
 * @throws DomainError CONFLICT when the claim is lost, UNAVAILABLE when something that it held is, NOT_FOUND when the target is gone, the signal's reason; what the database
 * throws, and then it may have been settled all the same
 */
export async function settle(
  { db, storage }: Pick<RequestsDeps, 'db' | 'storage'>,
  { request, admin, appliedFields, reason, plan, stored, held, signal }: Settling,
): Promise<WrittenEntry> {
  const { contentRequests } = db
  const { _id, claimedAt } = request

  return await db.transaction(async (session) => {
    // While the database is away it is begun again and again.
    signal.throwIfAborted()
    const { matchedCount } = await contentRequests.updateOne(
      { _id, status: 'pending', claimedAt },
      [
        {
          $set: {
            status: 'approved',
            appliedFields: { $literal: appliedFields },
            ...(reason !== null && { reason: { $literal: reason } }),
            decidedAt: '$$NOW',
            decidedBy: admin._id,
            updatedAt: '$$NOW',
            settledClaim: claimedAt,
          },
        },
        { $unset: [...CLAIM_FIELDS, 'slot'] },
      ],
      { session },
    )
    if (matchedCount === 0) throw new DomainError('CONFLICT', MESSAGES.requestDecided)

    await assertHeld(db, held, session)
    const entry = await plan.write(session)
    const keysOf = (urls: readonly string[]) => urls.flatMap((url) => storage.keyOf(url) ?? [])
    const added = [...stored, ...keysOf(entry.replacedImages).filter(isOf(entry))]
    // With what an earlier approval left and could not be cleared yet.
    const noted = { $setUnion: [{ $ifNull: ['$work', []] }, added] }
    const work = { $setDifference: [noted, keysOf(entry.images)] }
    await contentRequests.updateOne({ _id }, [{ $set: { resultId: entry.resultId, work } }], { session })
    return entry
  })
}
