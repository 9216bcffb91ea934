import { mapLimited } from '../../concurrency/map-limited.ts'
import { RECOVERY_PERIOD_MS } from '../../concurrency/timeouts.ts'
import { CLAIM_TTL_MS } from '../../contract/limits.ts'
import { NAME_LOCK } from '../commit/lock-name.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from '../live-claim.ts'
import { withLog } from '../with-log.ts'
import { type CleanUpDeps, cleanUpInBackground } from './clean-up.ts'

interface RecoverInput {
  /** No other process can be at work on this database: claims of earlier runs are released. */
  isAlone: boolean
}

const CONCURRENCY = 4

/**
 * Makes the clean-up of what approvals left recorded: it deletes their orphaned uploads. What the storage may still store
 * late is deleted again, and its record taken away, by the run after the one that found it. Never rejects.
 */
export function createSweep(deps: CleanUpDeps): () => Promise<void> {
  const { contentRequests, leases } = deps.db
  let found = new Set<string>()

  async function sweep(): Promise<void> {
    await leases.deleteMany({ _id: NAME_LOCK, $expr: { $lt: ['$until', { $subtract: ['$$NOW', CLAIM_TTL_MS] }] } })
    // An approval whose claim lives is at work with its uploads.
    const left = await contentRequests
      .find(
        { pendingUploads: { $gt: '' }, $expr: { $not: [IS_CLAIM_LIVE] } },
        { projection: { pendingUploads: 1, claimedAt: 1 } },
      )
      .toArray()
    const earlier = found
    found = new Set(left.flatMap(({ pendingUploads = [] }) => pendingUploads))
    await mapLimited(left, CONCURRENCY, ({ _id: requestId, claimedAt, pendingUploads = [] }) =>
      cleanUpInBackground(withLog(deps, { contentRequestId: requestId }), {
        requestId,
        claimedAt,
        uncertainUploads: pendingUploads.filter((key) => !earlier.has(key)),
      }),
    )
  }
  return () =>
    sweep().catch((error: unknown) => deps.log.warn({ err: error }, 'uploads of approvals could not be looked through'))
}

/**
 * Recovers from killed approvals: where this process is alone their claims are released at once. Their orphaned uploads are
 * deleted afterwards, since a silent storage must not hold up the start, and once an hour.
 */
export async function recoverAtStart(deps: CleanUpDeps, { isAlone }: RecoverInput): Promise<void> {
  if (isAlone) {
    const claimed = { status: 'pending', claimedAt: { $ne: null } } as const
    await deps.db.contentRequests.updateMany(claimed, [{ $unset: [...CLAIM_FIELDS] }])
  }
  const sweep = createSweep(deps)
  void sweep()
  setInterval(sweep, RECOVERY_PERIOD_MS).unref()
}
