import { MAX_TIME_MS } from '../../concurrency/timeouts.ts'
import type { Source } from '../../contract/sources.ts'
import { BY_DECISION } from '../../db/collections/conflicts.ts'
import { stampFencingToken } from '../../games/stamp-fencing-token.ts'
import { applicableNow, type ClaimedDecision, chosenGameOf } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'

interface Wanted {
  source: Source
  /** Of the lease under which the batch is written. */
  fence: number
  size: number
}

/**
 * Takes queued decisions in hand, oldest conflict first, by putting the lease's fence on their records and on the games
 * that they are about: what an earlier holder reads from now on, it cannot write.
 */
export async function claimBatch(
  deps: Pick<WriterDeps, 'db' | 'sources'>,
  { source, fence, size }: Wanted,
): Promise<ClaimedDecision[]> {
  const { conflicts } = deps.db
  const queued = applicableNow(source, deps.sources)
  const found = await conflicts
    .find(queued, { projection: { _id: 1 }, hint: BY_DECISION, maxTimeMS: MAX_TIME_MS })
    .sort({ createdAt: 1, _id: 1 })
    .limit(size)
    .toArray()
  if (found.length === 0) return []

  const wanted = { ...queued, _id: { $in: found.map(({ _id }) => _id) } }
  await conflicts.updateMany({ ...wanted, fence: { $not: { $gt: fence } } }, { $set: { fence } }, { hint: { _id: 1 } })
  const batch = await conflicts
    .find<ClaimedDecision>({ ...wanted, fence }, { hint: { _id: 1 } })
    .sort({ createdAt: 1, _id: 1 })
    .toArray()

  const games = batch.flatMap((record) => [chosenGameOf(record) ?? [], record.createdGameId ?? []].flat())
  await stampFencingToken(deps, { gameIds: games, source, fence })
  return batch
}
