import { ObjectId } from 'mongodb'
import { startDeadline } from '../../concurrency/deadline.ts'
import { retry } from '../../concurrency/retry.ts'
import { ANNOUNCE_TIMEOUT_MS, MAX_TIME_MS } from '../../concurrency/timeouts.ts'
import type { ConflictsApplied } from '../../contract/conflicts-namespace.ts'
import { isDuplicateKey } from '../../db/duplicate-key.ts'
import { toSaid } from '../../events/announcement.ts'
import type { WriterDeps } from './deps.ts'

/**
 * Announces a written batch, to other instances by a document of its own: no single write carries it. An insert that fails is
 * tried again for a minute, or until `stop` is aborted. Resolves when that is over, and never fails.
 */
export async function announceApplied(
  deps: Pick<WriterDeps, 'db' | 'emit' | 'instance' | 'clock' | 'log'>,
  { event, stop }: { event: ConflictsApplied; stop: AbortSignal },
): Promise<void> {
  deps.emit.conflicts.applied(event)
  const said = toSaid(deps, { event: 'conflicts:applied', payload: event })
  const announcement = { _id: new ObjectId(), said, at: deps.clock() }
  const insert = () => deps.db.announcements.insertOne(announcement, { maxTimeMS: MAX_TIME_MS })
  const deadline = startDeadline(ANNOUNCE_TIMEOUT_MS, stop)
  // An attempt whose answer was lost has stored it.
  await retry(insert, { stop: deadline.signal, isTemporary: (error) => !isDuplicateKey(error) }).catch(
    (error: unknown) => {
      if (!isDuplicateKey(error)) deps.log.warn({ err: error }, 'other instances could not be told of a batch')
    },
  )
  deadline.clear()
}
