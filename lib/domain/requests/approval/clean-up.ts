import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { CLAIM_TTL_MS } from '#lib/contract/limits'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'
import { CLEAN_UP_LEASE_MS, CLEAN_UP_WAIT_MS, RECOVERY_PERIOD_MS } from '#lib/infrastructure/concurrency/timeouts'
import { createJob, type Job } from '#lib/infrastructure/jobs/create-job'
import { isObjectKey, type ObjectKey } from '#lib/infrastructure/storage/storage'
import { listImages } from '../../catalogue/games/copy-entry-images.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import { NAME_LOCK } from '../commit/commit.ts'
import type { RequestsDeps } from '../deps.ts'
import { IS_CLAIM_LIVE } from '../live-claim.ts'

type CleanUpDeps = Pick<RequestsDeps, 'db' | 'storage' | 'log' | 'failpoint'>

interface OrphanedUploads {
  requestId: ObjectId
  /** The stored claim under which the uploads are recorded; null or absent for a request without a claim. */
  claimedAt?: Date | null | undefined
  /** Keys that an approval which has just ended may have stored, recorded or not; absent in other runs. */
  stored?: readonly ObjectKey[]
  /** Keys that an earlier run of the clean-up found; absent for an approval. */
  foundBefore?: ReadonlySet<string>
}

const CONCURRENCY = 4

async function findReferenced({ db }: CleanUpDeps, keys: readonly ObjectKey[]): Promise<Set<ObjectKey>> {
  const _id = { $in: keys.map((key) => new ObjectId(key.split('/')[1])) }
  const [games, characters] = await Promise.all([
    db.games.find({ _id }, { projection: { cover: 1, screenshots: 1, artworks: 1 } }).toArray(),
    db.characters.find({ _id }, { projection: { mugShot: 1 } }).toArray(),
  ])
  const images = [...games.flatMap(listImages), ...stringsIn(characters.map(({ mugShot }) => mugShot))]
  return new Set(keys.filter((key) => images.includes(key)))
}

/** Deletes the recorded objects of a request that no entry refers to, then their records. After a failure the records stay. */
export async function deleteOrphanedUploads(
  deps: CleanUpDeps,
  { requestId, claimedAt, stored = [], foundBefore = new Set() }: OrphanedUploads,
): Promise<void> {
  const { contentRequests } = deps.db
  // Uploads under another claim belong to an approval that is running now.
  const filter = { _id: requestId, claimedAt: claimedAt ?? null }
  const request = await contentRequests.findOne(filter, { projection: { pendingUploads: 1 } })
  const recorded = request?.pendingUploads ?? []
  const keys = [...new Set([...recorded.filter(isObjectKey), ...stored])]

  if (keys.length > 0) {
    const referenced = await findReferenced(deps, keys)
    await deps.failpoint('approval:deleting-orphans')
    await deps.storage.delete(keys.filter((key) => !referenced.has(key)))
    await deps.failpoint('approval:orphans-deleted')
  }
  // An upload may be stored after its deletion: its record stays until the next run has deleted it again.
  const done = deps.storage.mayStoreAfterFailure ? recorded.filter((key) => foundBefore.has(key)) : recorded
  if (done.length > 0) await contentRequests.updateOne(filter, { $pullAll: { pendingUploads: done } })
}

/** Deletes orphaned uploads and never rejects: a failure is logged, and the next start, approval or hour tries again. */
export async function cleanUp(deps: CleanUpDeps, uploads: OrphanedUploads): Promise<void> {
  await deleteOrphanedUploads(deps, uploads).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'orphaned uploads could not be deleted yet')
  })
}

/** Cleans up without waiting for a slow deletion. Must not run before uploads under the same claim, which it would delete. */
export async function cleanUpInBackground(deps: CleanUpDeps, uploads: OrphanedUploads): Promise<void> {
  await Promise.race([cleanUp(deps, uploads), sleep(CLEAN_UP_WAIT_MS, undefined, { ref: false })])
}

/** Creates the clean-up of all recorded uploads. A run answers how many requests have any, null for none. */
export function createSweep(deps: CleanUpDeps) {
  const { contentRequests, leases } = deps.db
  let foundBefore = new Set<string>()

  return async ({ stopping }: { stopping?: AbortSignal } = {}) => {
    await leases.deleteMany({ _id: NAME_LOCK, $expr: { $lt: ['$until', { $subtract: ['$$NOW', CLAIM_TTL_MS] }] } })
    // A live claim belongs to a running approval, which needs its uploads.
    const left = await contentRequests
      .find(
        { pendingUploads: { $gt: '' }, $expr: { $not: [IS_CLAIM_LIVE] } },
        { projection: { pendingUploads: 1, claimedAt: 1 } },
      )
      .toArray()
    await mapLimited(left, CONCURRENCY, async ({ _id: requestId, claimedAt }) => {
      if (stopping?.aborted) return
      const log = deps.log.child({ contentRequestId: requestId })
      await cleanUpInBackground({ ...deps, log }, { requestId, claimedAt, foundBefore })
    })
    foundBefore = new Set(left.flatMap(({ pendingUploads = [] }) => pendingUploads))
    return left.length === 0 ? null : { requests: left.length }
  }
}

export const createCleanUpJob = (deps: CleanUpDeps): Job =>
  createJob(deps, {
    name: 'requests/clean-up',
    pollMs: RECOVERY_PERIOD_MS,
    leaseMs: CLEAN_UP_LEASE_MS,
    graceMs: 0,
    run: createSweep(deps),
  })
