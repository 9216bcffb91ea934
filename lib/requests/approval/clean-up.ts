import { setTimeout as sleep } from 'node:timers/promises'
import { CLEAN_UP_WAIT_MS } from '../../concurrency/timeouts.ts'
import { StorageError } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import type { ClaimedRequest } from './claim.ts'
import { deleteOrphanedUploads, type OrphanedUploads } from './delete-orphaned-uploads.ts'

export type CleanUpDeps = Pick<RequestsDeps, 'db' | 'storage' | 'log' | 'failpoint'>

/**
 * Deletes the orphaned uploads of a request; a slow deletion goes on by itself. After a failure they stay recorded for the
 * next start, decision or hour. The log of `deps` names the request. Never rejects.
 */
export async function cleanUpInBackground(deps: CleanUpDeps, uploads: OrphanedUploads): Promise<void> {
  const cleaned = deleteOrphanedUploads(deps, uploads).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'orphaned uploads could not be deleted yet')
  })
  await Promise.race([cleaned, sleep(CLEAN_UP_WAIT_MS, undefined, { ref: false })])
}

/** Deletes what a killed approval of a request left. While the storage fails its records stay, for the next clean-up. */
export async function cleanUpPreviousAttempt(deps: CleanUpDeps, request: ClaimedRequest): Promise<void> {
  const { _id: requestId, claimedAt, pendingUploads: uncertainUploads = [] } = request
  if (uncertainUploads.length === 0) return
  await deleteOrphanedUploads(deps, { requestId, claimedAt, uncertainUploads }).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
    deps.log.warn({ err: error }, 'orphaned uploads could not be deleted yet')
  })
}
