import { mapLimited } from '../../concurrency/map-limited.ts'
import { CLEAN_UP_LEASE_MS, RECOVERY_PERIOD_MS } from '../../concurrency/timeouts.ts'
import { CLAIM_TTL_MS } from '../../contract/limits.ts'
import { createJob, type Job } from '../../jobs/create-job.ts'
import { NAME_LOCK } from '../commit/commit.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from '../live-claim.ts'
import { withLog } from '../with-log.ts'
import { type CleanUpDeps, cleanUpInBackground } from './clean-up.ts'

const CONCURRENCY = 4

/**
 * Makes the clean-up of what approvals left recorded: it deletes their orphaned uploads. What the storage may still store
 * late is deleted again, and its record taken away, by the run after the one that found it.
 * @returns a run, which answers how many requests it found
 */
export function createSweep(deps: CleanUpDeps): (stopping?: AbortSignal) => Promise<number> {
  const { contentRequests, leases } = deps.db
  let found = new Set<string>()

  return async (stopping) => {
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
    await mapLimited(left, CONCURRENCY, async ({ _id: requestId, claimedAt, pendingUploads = [] }) => {
      if (stopping?.aborted) return
      const uncertainUploads = pendingUploads.filter((key) => !earlier.has(key))
      const own = withLog(deps, { contentRequestId: requestId })
      await cleanUpInBackground(own, { requestId, claimedAt, uncertainUploads })
    })
    return left.length
  }
}

/** The clean-up as a job of every hour, which begins with the start. */
export function createCleanUpJob(deps: CleanUpDeps): Job {
  const sweep = createSweep(deps)
  return createJob(deps, {
    name: 'requests/clean-up',
    periodMs: RECOVERY_PERIOD_MS,
    leaseMs: CLEAN_UP_LEASE_MS,
    graceMs: 0,
    async run({ stopping }) {
      const requests = await sweep(stopping)
      return requests === 0 ? null : { requests }
    },
  })
}

/** Releases the claims of killed approvals: only where no other process can be at work on this database. */
export async function releaseClaims({ db }: Pick<CleanUpDeps, 'db'>): Promise<void> {
  const claimed = { status: 'pending', claimedAt: { $ne: null } } as const
  await db.contentRequests.updateMany(claimed, [{ $unset: [...CLAIM_FIELDS] }])
}
