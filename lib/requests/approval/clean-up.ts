import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectId } from 'mongodb'
import { CLEAN_UP_WAIT_MS } from '../../concurrency/timeouts.ts'
import type { ObjectKey } from '../../storage/storage.ts'
import { StorageError } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import { readPendingUploads } from '../pending-uploads.ts'
import type { ClaimedRequest } from './claim.ts'
import { deleteOrphanedUploads } from './delete-orphaned-uploads.ts'

export type CleanUpDeps = Pick<RequestsDeps, 'db' | 'storage' | 'log' | 'failpoint' | 'approvalRunner'>

interface CleanUpInput {
  /** A request without a claim. */
  requestId: ObjectId
  /** Keys that an approval knows to have stored, whatever became of their records. */
  stored?: readonly ObjectKey[]
  /** Keys under which something may have been stored or not: the put failed or was cut off. */
  uncertainUploads?: readonly string[]
}

/**
 * Deletes the orphaned uploads of a request. A slow deletion goes on by itself, a failed one is tried again, and uploads
 * that the storage may still store late are looked for again. The log of `deps` names the request. Never rejects.
 */
export async function cleanUpInBackground(
  deps: CleanUpDeps,
  { requestId, stored = [], uncertainUploads = [] }: CleanUpInput,
): Promise<void> {
  const task = { task: 'deleting orphaned uploads', log: deps.log }
  async function cleanUp(): Promise<void> {
    await deleteOrphanedUploads(deps, { requestId, stored, uncertainUploads })
    if (!deps.storage.mayStoreAfterFailure || uncertainUploads.length === 0) return
    deps.approvalRunner.repeat(task, (isLast) =>
      deleteOrphanedUploads(deps, { requestId, stored, uncertainUploads: isLast ? [] : uncertainUploads }),
    )
  }
  const cleaned = cleanUp().catch((error: unknown) => {
    deps.log.warn({ err: error }, 'orphaned uploads could not be deleted, trying again')
    deps.approvalRunner.retry(task, cleanUp)
  })
  await Promise.race([cleaned, sleep(CLEAN_UP_WAIT_MS, undefined, { ref: false })])
}

/** Deletes what a killed approval of a request left. While the storage fails its records stay, for the next clean-up. */
export async function cleanUpPreviousAttempt(deps: CleanUpDeps, request: ClaimedRequest): Promise<void> {
  const { _id: requestId, claimedAt } = request
  const uncertainUploads = readPendingUploads(request)
  if (uncertainUploads.length === 0) return
  await deleteOrphanedUploads(deps, { requestId, claimedAt, uncertainUploads }).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
    deps.log.warn(
      { err: error, contentRequestId: requestId },
      'uploads of an earlier approval could not be deleted yet',
    )
  })
}
