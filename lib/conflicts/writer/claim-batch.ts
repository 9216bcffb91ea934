import type { Document, Filter, ObjectId } from 'mongodb'
import { MAX_TIME_MS, WRITER_MAX_WAIT_MS } from '../../concurrency/timeouts.ts'
import type { Source } from '../../contract/sources.ts'
import { BY_DECISION, type ConflictDocument } from '../../db/collections/conflicts.ts'
import { isDatabaseUnreachable } from '../../db/is-database-unreachable.ts'
import { DomainError } from '../../errors.ts'
import { stampFencingToken } from '../../games/fencing-token.ts'
import type { Sources } from '../../sources/sources.ts'
import { conflictQueueKey } from '../states.ts'
import { toGameId } from '../stored-values.ts'
import type { WriterDeps } from './deps.ts'

/** A record whose decision a writer has claimed. */
export type ClaimedDecision = ConflictDocument & { decision: 'match' | 'skip'; fencingToken: number }

/** Whether a decision of this source is carried out by reading the source. A skip that links nothing never is. */
export const needsEntry = (source: Source, decision: 'match' | 'skip'): boolean =>
  decision === 'match' || source === 'igdb' || source === 'vndb'

/** The id of the entry in its source: for `hltb` the chosen one, otherwise that of the record. */
export const chosenEntryId = ({ source, externalId, winnerEntryId }: ConflictDocument): string =>
  source === 'hltb' ? (winnerEntryId ?? '') : externalId

/** The game that the entry is to be linked to; null for a skip. */
export function chosenGameId(record: ClaimedDecision): ObjectId | null {
  if (record.decision === 'skip') return null
  return record.source === 'hltb' ? toGameId(record) : (record.winner ?? null)
}

/** Whether an error says nothing about the decision that met it, which then stays queued. */
export const isInterruption = (error: unknown): boolean =>
  isDatabaseUnreachable(error) || (error instanceof DomainError && error.code === 'UNAVAILABLE')

/** Matches the queued decisions that can be applied now: while the circuit of the source is open, those that do not need it. */
function applicableNow(source: Source, sources: Sources): Filter<ConflictDocument> {
  const reader = sources[source]
  const isOpen = reader.isOn && reader.closedForMs() > 0
  const decisions = (['match', 'skip'] as const).filter((decision) => !isOpen || !needsEntry(source, decision))
  return { source, status: 'pending', decision: { $in: decisions } }
}

/** Whether a decision of this source waits for the writer and can be applied now. */
export async function isAnythingQueued(
  { db, sources }: Pick<WriterDeps, 'db' | 'sources'>,
  { source }: { source: Source },
): Promise<boolean> {
  const found = await db.conflicts.findOne(applicableNow(source, sources), {
    projection: { _id: 1 },
    hint: BY_DECISION,
    maxTimeMS: MAX_TIME_MS,
  })
  return found !== null
}

interface ClaimBatchInput {
  source: Source
  /** The token of the lease under which the batch is written. */
  fencingToken: number
  size: number
}

/**
 * Claims queued decisions, oldest conflict first, by putting the lease's fencing token on their records and on the games
 * that they are about, so that an earlier holder of the lease can no longer write them.
 */
export async function claimBatch(
  deps: Pick<WriterDeps, 'db' | 'failpoint' | 'sources'>,
  { source, fencingToken, size }: ClaimBatchInput,
): Promise<ClaimedDecision[]> {
  const { conflicts } = deps.db
  const queued = applicableNow(source, deps.sources)
  const found = await conflicts
    .find(queued, { projection: { _id: 1 }, hint: BY_DECISION, maxTimeMS: MAX_TIME_MS })
    .sort({ createdAt: 1, _id: 1 })
    .limit(size)
    .toArray()
  if (found.length === 0) return []

  await deps.failpoint('writer:claim')
  const chosen = { ...queued, _id: { $in: found.map(({ _id }) => _id) } }
  const isNotLater = { $not: { $gt: fencingToken } }
  await conflicts.updateMany(
    { ...chosen, fencingToken: isNotLater, fence: isNotLater },
    { $set: { fencingToken }, $unset: { fence: 1 } },
    { hint: { _id: 1 } },
  )
  const batch = await conflicts
    .find<ClaimedDecision>({ ...chosen, fencingToken }, { hint: { _id: 1 } })
    .sort({ createdAt: 1, _id: 1 })
    .toArray()

  const gameIds = batch.flatMap((record) => [chosenGameId(record) ?? [], record.createdGameId ?? []].flat())
  await stampFencingToken(deps, { gameIds, source, fencingToken })
  return batch
}

/**
 * Changes a record that is still pending with the decision that was applied, and still claimed under the same token.
 * @param set in the form of a pipeline's `$set`
 * @returns false when it is not
 */
export async function updateIfClaimed(
  { db, failpoint, queue }: Pick<WriterDeps, 'db' | 'failpoint' | 'queue'>,
  { record, set }: { record: ClaimedDecision; set: Document },
): Promise<boolean> {
  const { _id, decision, fencingToken } = record
  await failpoint('writer:settle')
  const { matchedCount } = await queue.run(
    conflictQueueKey(record),
    () =>
      db.conflicts.updateOne({ _id, status: 'pending', decision, fencingToken }, [
        { $set: { ...set, updatedAt: '$$NOW' } },
      ]),
    { maxWaitMs: WRITER_MAX_WAIT_MS },
  )
  await failpoint('writer:settled')
  return matchedCount === 1
}
