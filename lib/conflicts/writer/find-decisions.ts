import { type Filter, ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../../concurrency/timeouts.ts'
import type { Source } from '../../contract/sources.ts'
import { BY_DECISION, type ConflictDocument } from '../../db/collections/conflicts.ts'
import type { Sources } from '../../sources/sources.ts'
import { hashedId } from '../../system/hashed-id.ts'
import { toGameId } from '../stored-values.ts'
import type { WriterDeps } from './deps.ts'

/** A record whose decision waits for the writer. */
export type QueuedDecision = ConflictDocument & { decision: 'match' | 'skip' }

/** Whether a decision of this source is carried out by reading the source. A skip that links nothing never is. */
export const needsEntry = (source: Source, decision: 'match' | 'skip'): boolean =>
  decision === 'match' || source === 'igdb' || source === 'vndb'

/** The id of the entry in its source: for `hltb` the chosen one, otherwise that of the record. */
export const chosenEntryId = ({ source, externalId, winnerEntryId }: ConflictDocument): string =>
  source === 'hltb' ? (winnerEntryId ?? '') : externalId

/** The game that a match links the entry to. */
export const chosenGameId = (record: QueuedDecision): ObjectId | null =>
  record.source === 'hltb' ? toGameId(record) : (record.winner ?? null)

/** The id of the game that a skip creates: a match after it finds the game again, and no skip creates a second one. */
export const createdGameId = ({ source, externalId }: Pick<ConflictDocument, 'source' | 'externalId'>): ObjectId =>
  new ObjectId(hashedId(`game ${source} ${externalId}`))

/** Matches the queued decisions that can be applied now: while the circuit of the source is open, those that do not need it. */
function applicableNow(source: Source, sources: Sources): Filter<ConflictDocument> {
  const reader = sources[source]
  const isOpen = reader.isOn && reader.closedForMs() > 0
  const decisions = (['match', 'skip'] as const).filter((decision) => !isOpen || !needsEntry(source, decision))
  return { source, status: 'pending', decision: { $in: decisions } }
}

/** Finds queued decisions of a source that can be applied now, oldest conflict first. */
export async function findDecisions(
  { db, sources }: Pick<WriterDeps, 'db' | 'sources'>,
  { source, size }: { source: Source; size: number },
): Promise<QueuedDecision[]> {
  return await db.conflicts
    .find<QueuedDecision>(applicableNow(source, sources), { hint: BY_DECISION, maxTimeMS: MAX_TIME_MS })
    .sort({ createdAt: 1, _id: 1 })
    .limit(size)
    .toArray()
}
