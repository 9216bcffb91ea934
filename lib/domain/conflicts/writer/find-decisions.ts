import { ObjectId } from 'mongodb'
import { hashedId } from '#lib/base/system/hashed-id'
import { SOURCE_POLICIES, type Source } from '#lib/contract/sources'
import { BY_DECISION, type ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { ConflictsDeps } from '../deps.ts'
import { isAboutEntries } from '../states.ts'
import { toGameId } from '../stored-values.ts'

export type QueuedDecision = ConflictDocument & { decision: 'match' | 'skip' }

/** True when applying the decision reads the source. A skip that links nothing never reads it. */
export const needsEntry = (source: Source, decision: 'match' | 'skip'): boolean =>
  decision === 'match' || SOURCE_POLICIES[source].skipCreatesGame

/** Returns the id of the entry in its source: the chosen candidate of `hltb`, otherwise the record's external id. */
export const chosenEntryId = ({ source, externalId, winnerEntryId }: ConflictDocument): string =>
  isAboutEntries(source) ? (winnerEntryId ?? '') : externalId

export const chosenGameId = (record: QueuedDecision): ObjectId | null =>
  isAboutEntries(record.source) ? toGameId(record) : (record.winner ?? null)

/** Derives the id of the game that a skip creates, so that a later match finds it and no second skip creates another. */
export const createdGameId = ({ source, externalId }: Pick<ConflictDocument, 'source' | 'externalId'>): ObjectId =>
  new ObjectId(hashedId(`game ${source} ${externalId}`))

/**
 * Finds queued decisions of a source that can be applied now, oldest conflict first. While the circuit of the source is
 * open, only decisions that do not read the source are found.
 */
export async function findDecisions(
  { db, sources }: Pick<ConflictsDeps, 'db' | 'sources'>,
  { source, size }: { source: Source; size: number },
): Promise<QueuedDecision[]> {
  const { isOn, openForMs } = sources[source]
  const isOpen = isOn && openForMs() > 0
  const decisions = (['match', 'skip'] as const).filter((decision) => !isOpen || !needsEntry(source, decision))
  const filter = { source, status: 'pending', decision: { $in: decisions } } as const
  return await db.conflicts
    .find<QueuedDecision>(filter, { hint: BY_DECISION })
    .sort({ createdAt: 1, _id: 1 })
    .limit(size)
    .toArray()
}
