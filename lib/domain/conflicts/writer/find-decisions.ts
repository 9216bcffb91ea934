import { type Filter, ObjectId } from 'mongodb'
import { hashedId } from '#lib/base/system/hashed-id'
import { SOURCE_POLICIES, type Source } from '#lib/contract/sources'
import { BY_DECISION, BY_PERSON, type ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { ConflictsDeps } from '../deps.ts'
import { isAboutEntries } from '../states.ts'
import { toGameId } from '../stored-values.ts'

export type QueuedDecision = ConflictDocument & { decision: 'match' | 'skip' }

/** True when no person waits for the decision: the matcher made it, or it parses a linked entry again. */
export const isBackground = ({ isAutomatic, isRefresh }: ConflictDocument): boolean =>
  isAutomatic === true || isRefresh === true

/** True when applying the decision reads the source. A skip that links nothing never reads it. */
export const needsEntry = (source: Source, decision: 'match' | 'skip'): boolean =>
  decision === 'match' || SOURCE_POLICIES[source].skipCreatesGame

export const chosenEntryId = ({ source, externalId, winnerEntryId }: ConflictDocument): string =>
  isAboutEntries(source) ? (winnerEntryId ?? '') : externalId

export const chosenGameId = (record: QueuedDecision): ObjectId | null =>
  isAboutEntries(record.source) ? toGameId(record) : (record.winner ?? null)

/** Derives the id of the game that a skip creates, so that a later match finds it and no second skip creates another. */
export const createdGameId = ({ source, externalId }: Pick<ConflictDocument, 'source' | 'externalId'>): ObjectId =>
  new ObjectId(hashedId(`game ${source} ${externalId}`))

/**
 * Finds queued decisions of a source that can be applied now: those of people first, each kind oldest conflict first. While
 * the circuit of the source is open, only decisions that do not read the source are found.
 */
export async function findDecisions(
  { db, sources }: Pick<ConflictsDeps, 'db' | 'sources'>,
  { source, size }: { source: Source; size: number },
): Promise<QueuedDecision[]> {
  const { isOn, openForMs } = sources[source]
  const isOpen = isOn && openForMs() > 0
  const decisions = (['match', 'skip'] as const).filter((decision) => !isOpen || !needsEntry(source, decision))
  const queued = { source, status: 'pending', decision: { $in: decisions } } as const
  const find = async (filter: Filter<ConflictDocument>, hint: typeof BY_DECISION | typeof BY_PERSON, most: number) =>
    await db.conflicts
      .find<QueuedDecision>({ ...queued, ...filter }, { hint })
      .sort({ createdAt: 1, _id: 1 })
      .limit(most)
      .toArray()

  const ofPeople = await find(
    { isAutomatic: { $in: [null, false] }, isRefresh: { $in: [null, false] } },
    BY_PERSON,
    size,
  )
  if (ofPeople.length === size) return ofPeople
  const others = await find({ _id: { $nin: ofPeople.map(({ _id }) => _id) } }, BY_DECISION, size - ofPeople.length)
  return [...ofPeople, ...others]
}
