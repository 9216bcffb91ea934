import { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictsApplied } from '../contract/conflicts-namespace.ts'
import { toSaid } from '../feed/announcement.ts'
import type { ConflictsDeps } from './deps.ts'

/** Announces a written batch, to other instances by a document of its own: no single write carries it. Never fails. */
export async function announceApplied(
  deps: Pick<ConflictsDeps, 'db' | 'emit' | 'instance' | 'clock' | 'log'>,
  event: ConflictsApplied,
): Promise<void> {
  deps.emit.conflicts.applied(event)
  const said = toSaid(deps, { event: 'conflicts:applied', payload: event })
  await deps.db.announcements
    .insertOne({ _id: new ObjectId(), said, at: deps.clock() }, { maxTimeMS: MAX_TIME_MS })
    .catch((error: unknown) => deps.log.warn({ err: error }, 'other instances could not be told of a batch'))
}
