import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectId } from 'mongodb'
import type { Deps } from '../../deps.ts'
import type { ObjectKey } from '../../storage/storage.ts'
import { sweepWork } from './delete-orphaned-uploads.ts'

export type ClearDeps = Pick<Deps, 'db' | 'storage' | 'log' | 'approvals'>

interface Left {
  /** One without a claim. */
  requestId: ObjectId
  /** What an approval knows to have stored, whatever became of its notes. */
  stored?: readonly ObjectKey[]
  /** Keys under which something may have been stored or not: a put of them failed, or was cut off. */
  unsettled?: readonly string[]
}

/** A storage that is down is asked for longer, and nobody needs to wait for that. */
const PATIENCE_MS = 3_000

/**
 * Deletes what an approval has left and nothing refers to; where that takes long it goes on by itself, where it fails it
 * is tried again. What the storage may still store late is looked for again. Never rejects.
 */
export async function clearLeftovers(deps: ClearDeps, { requestId, stored = [], unsettled = [] }: Left): Promise<void> {
  const what = `clearing what the approval of ${requestId} left`
  async function sweep(): Promise<void> {
    await sweepWork(deps, { requestId, stored, unsettled })
    if (!deps.storage.storesLate || unsettled.length === 0) return
    deps.approvals.repeat(what, (isLast) => sweepWork(deps, { requestId, stored, unsettled: isLast ? [] : unsettled }))
  }
  const swept = sweep().catch((error: unknown) => {
    deps.log.warn({ err: error, requestId }, 'what an approval left could not be cleared yet')
    deps.approvals.tryAgain(what, sweep)
  })
  await Promise.race([swept, sleep(PATIENCE_MS, undefined, { ref: false })])
}
