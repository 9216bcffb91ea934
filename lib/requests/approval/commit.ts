import { APPROVAL_COMMIT_MS } from '../../concurrency/timeouts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { DomainError } from '../../errors.ts'
import { recordStaffAction } from '../../staff/record-staff-action.ts'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'
import { sortByImages } from '../pick-fields.ts'
import { REQUEST_FIELDS, type RequestRow, toStaffTarget } from '../to-wire.ts'
import type { ApprovalContext } from './approval-context.ts'
import type { EntryWrite, WrittenEntry } from './entry-plan.ts'

type CommitDeps = Pick<RequestsDeps, 'db' | 'storage' | 'clock' | 'log' | 'failpoint'>

interface CommitInput {
  /** The picked fields. */
  payload: Readonly<Record<string, unknown>>
  write: EntryWrite
}

/** The keys whose objects are to be kept, and those to be deleted unless an entry refers to them. */
function sortUploads(
  { storage }: CommitDeps,
  { uploads }: Pick<ApprovalContext, 'uploads'>,
  { resultId, images, replacedImages }: WrittenEntry,
) {
  const toKeys = (urls: readonly string[]) => urls.flatMap((url) => storage.keyOf(url) ?? [])
  const replaced = toKeys(replacedImages).filter((key) => key.split('/')[1] === resultId.toHexString())
  return { kept: toKeys(images), pending: [...uploads.keys, ...replaced] }
}

/**
 * Approves a request, writes its entry and records the staff action in one transaction that begins with the claim: a lost
 * claim writes nothing. Uploads and replaced images that nothing refers to stay recorded on the request, to be deleted.
 * @throws DomainError CONFLICT when the claim is lost, UNAVAILABLE when a lock is, NOT_FOUND when the target is gone, the
 * signal's reason; after an error of the database it may have been committed all the same
 */
export async function commit(
  deps: CommitDeps,
  approval: Pick<ApprovalContext, 'request' | 'admin' | 'choice' | 'uploads' | 'images' | 'locks' | 'signal'>,
  { payload, write }: CommitInput,
): Promise<RequestRow> {
  const { db, failpoint } = deps
  const { request, admin, locks, signal } = approval
  const { _id, kind, action, claimedAt } = request
  const { reason } = approval.choice
  const { appliedFields, failedFields } = sortByImages(payload, approval.images.failedLinks)

  const decided = await db.transaction(
    async (session) => {
      // While the database is away the transaction is begun again and again.
      signal.throwIfAborted()
      await failpoint('approval:committing')
      const { matchedCount } = await db.contentRequests.updateOne(
        { _id, status: 'pending', claimedAt },
        [
          {
            $set: {
              status: 'approved',
              appliedFields: { $literal: appliedFields },
              failedFields: { $literal: failedFields },
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
      await failpoint('approval:decided')
      if (matchedCount === 0) throw new DomainError('CONFLICT', MESSAGES.requestDecided)

      await locks.assertHeld(session)
      const entry = await write(session)
      await failpoint('approval:entry-written')

      const { kept, pending } = sortUploads(deps, approval, entry)
      const recorded = { $setUnion: [{ $ifNull: ['$pendingUploads', []] }, { $ifNull: ['$work', []] }, pending] }
      const row = await db.contentRequests.findOneAndUpdate(
        { _id },
        [
          { $set: { resultId: entry.resultId, pendingUploads: { $setDifference: [recorded, kept] } } },
          { $unset: 'work' },
        ],
        { session, returnDocument: 'after', projection: REQUEST_FIELDS },
      )
      if (row === null) throw new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
      await recordStaffAction(
        deps,
        {
          admin,
          action: 'request-approved',
          target: toStaffTarget(request),
          details: { kind, action, appliedFields, resultId: entry.resultId.toHexString() },
        },
        { session },
      )
      await failpoint('approval:staff-action-recorded')
      return row
    },
    { timeoutMs: APPROVAL_COMMIT_MS },
  )
  await failpoint('approval:committed')
  return decided
}
