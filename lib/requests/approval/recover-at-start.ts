import { mapLimited } from '../../concurrency/map-limited.ts'
import { CLAIM_TTL_MS } from '../../contract/limits.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'
import { PENDING_UPLOADS_FIELDS, readPendingUploads } from '../pending-uploads.ts'
import { withLog } from '../with-log.ts'
import { type CleanUpDeps, cleanUpInBackground } from './clean-up.ts'
import { LOCK_ID } from './locks.ts'

interface RecoverInput {
  /** No other process can be at work on this database: claims of earlier runs are released. */
  isAlone: boolean
}

const CONCURRENCY = 4

/**
 * Cleans up after killed approvals: deletes their orphaned uploads and, where this process is alone, releases their
 * claims and locks. The objects are deleted after it has resolved: a silent storage must not hold up the start.
 */
export async function recoverAtStart(deps: CleanUpDeps, { isAlone }: RecoverInput): Promise<void> {
  const { contentRequests, leases } = deps.db
  if (isAlone) {
    await contentRequests.updateMany({ status: 'pending', claimedAt: { $ne: null } }, [{ $unset: [...CLAIM_FIELDS] }])
  }
  const isForgotten = { $expr: { $lt: ['$until', { $subtract: ['$$NOW', CLAIM_TTL_MS] }] } }
  await leases.deleteMany({ _id: LOCK_ID, ...(!isAlone && isForgotten) })
  // Uploads under a claim may belong to an approval that runs elsewhere; its takeover cleans them up.
  const unclaimed = await contentRequests
    .find(
      { $or: [{ pendingUploads: { $gt: '' } }, { work: { $gt: '' } }], claimedAt: null },
      { projection: PENDING_UPLOADS_FIELDS },
    )
    .toArray()
  void mapLimited(unclaimed, CONCURRENCY, ({ _id: requestId, ...uploads }) =>
    cleanUpInBackground(withLog(deps, { contentRequestId: requestId }), {
      requestId,
      uncertainUploads: readPendingUploads(uploads),
    }),
  )
}
