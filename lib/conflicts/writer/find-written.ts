import { MAX_TIME_MS } from '../../concurrency/timeouts.ts'
import type { ClaimedDecision } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'

/** Of records that one writer had in hand, finds the external ids of those that are written and that nobody else took. */
export async function findWritten(
  { db }: Pick<WriterDeps, 'db'>,
  records: readonly ClaimedDecision[],
): Promise<string[]> {
  const found = await db.conflicts
    .find(
      {
        $or: records.map(({ _id, fence }) => ({ _id, fence })),
        $nor: [{ status: 'pending', decision: { $ne: null } }],
      },
      { projection: { externalId: 1 }, maxTimeMS: MAX_TIME_MS },
    )
    .toArray()
  return found.map(({ externalId }) => externalId)
}
