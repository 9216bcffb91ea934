import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectId } from 'mongodb'
import type { ObjectKey } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import { deleteOrphanedUploads } from './delete-orphaned-uploads.ts'

export type ClearDeps = Pick<RequestsDeps, 'db' | 'storage' | 'log' | 'approvalRunner'>

interface Left {
  /** One without a claim. */
  requestId: ObjectId
  /** What an approval knows to have stored, whatever became of its notes. */
  stored?: readonly ObjectKey[]
  /** Keys under which something may have been stored or not: a put of them failed, or was cut off. */
  uncertainUploads?: readonly string[]
}

/** A storage that is down is asked for longer, and nobody needs to wait for that. */
const REQUEST_TIMEOUT_MS = 3_000

/**
 * Deletes what an approval has left and nothing refers to; where that takes long it goes on by itself, where it fails it
 * is tried again. What the storage may still store late is looked for again. Never rejects.
 */
export async function cleanUpInBackground(
  deps: ClearDeps,
  { requestId, stored = [], uncertainUploads = [] }: Left,
): Promise<void> {
  const what = `clearing what the approval of ${requestId} left`
  async function sweep(): Promise<void> {
    await deleteOrphanedUploads(deps, { requestId, stored, uncertainUploads })
    if (!deps.storage.mayStoreAfterFailure || uncertainUploads.length === 0) return
    deps.approvalRunner.repeat(what, (isLast) =>
      deleteOrphanedUploads(deps, { requestId, stored, uncertainUploads: isLast ? [] : uncertainUploads }),
    )
  }
  const swept = sweep().catch((error: unknown) => {
    deps.log.warn({ err: error, requestId }, 'what an approval left could not be cleared yet')
    deps.approvalRunner.tryAgain(what, sweep)
  })
  await Promise.race([swept, sleep(REQUEST_TIMEOUT_MS, undefined, { ref: false })])
}
