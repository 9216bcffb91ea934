import { MongoBulkWriteError, ObjectId, type UpdateFilter } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { type CoalescedWrites, createCoalescedWrites } from '../concurrency/coalesced-writes.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { Database } from '../db/connect.ts'
import { isDatabaseUnreachable } from '../db/is-database-unreachable.ts'
import type { Emitter, EventVersion } from '../emitter.ts'
import { toConflictState, UNDECIDED } from './states.ts'

export interface DecisionToWrite extends Pick<ConflictDocument, 'source' | 'externalId'> {
  /** The chosen game; null for a skip and for an entry. */
  gameId: ObjectId | null
  /** The chosen entry of `hltb`; null for a skip and for a game. */
  entryId: string | null
  admin: SessionUser
  /** The announcement that the write carries. */
  said: string
}

/** `refused`: the conflict does not wait for a decision, or the choice is not among its candidates or entries. */
export type WrittenDecision =
  | { outcome: 'written'; externalName: string; version: EventVersion }
  | { outcome: 'refused' }
  | { outcome: 'failed'; error: unknown }

export type DecisionWrites = CoalescedWrites<DecisionToWrite, WrittenDecision>

type Stored = Pick<ConflictDocument, '_id' | 'source' | 'externalId' | 'externalName' | 'decisionId' | 'rev' | 'said'>

function toUpdate({ source, externalId, gameId, entryId, admin, said }: DecisionToWrite, decisionId: ObjectId) {
  const update: UpdateFilter<ConflictDocument> = {
    $set: {
      decision: gameId === null && entryId === null ? 'skip' : 'match',
      decisionId,
      winner: gameId,
      winnerEntryId: entryId,
      decidedBy: { userId: admin._id, userName: admin.userName },
      failure: null,
      said,
    },
    $inc: { rev: 1 },
    $currentDate: { updatedAt: true },
  }
  const filter = {
    source,
    externalId,
    ...UNDECIDED,
    ...(gameId && { 'candidates.gameId': gameId }),
    ...(entryId !== null && { 'entries.id': entryId }),
  }
  return { updateOne: { filter, update } }
}

async function readStored({ db }: { db: Database }, decisions: readonly DecisionToWrite[]): Promise<Stored[]> {
  return await db.conflicts
    .find<Stored>(
      { $or: decisions.map(({ source, externalId }) => ({ source, externalId })) },
      {
        projection: { source: 1, externalId: 1, externalName: 1, decisionId: 1, rev: 1, said: 1 },
        maxTimeMS: MAX_TIME_MS,
      },
    )
    .toArray()
}

/** How new a decision is; a change that was announced after it has a later number. */
function toVersion({ _id, rev = 1, said }: Stored, ownSaid: string): EventVersion {
  return { rev: said === ownSaid ? rev : rev - 1, documentId: _id.toHexString() }
}

/** Writes decisions of different conflicts in one command, each under its own filter. */
async function writeAll(deps: { db: Database }, decisions: readonly DecisionToWrite[]): Promise<WrittenDecision[]> {
  const ids = decisions.map(() => new ObjectId())
  const failures = new Map<number, unknown>()
  const updates = decisions.map((decision, index) => toUpdate(decision, ids[index] ?? new ObjectId()))
  try {
    await deps.db.conflicts.bulkWrite(updates, { ordered: false, maxTimeMS: MAX_TIME_MS })
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || isDatabaseUnreachable(error)) throw error
    for (const failure of [error.writeErrors].flat()) failures.set(failure.index, failure)
  }
  const stored = await readStored(deps, decisions)

  return decisions.map((decision, index): WrittenDecision => {
    const error = failures.get(index)
    if (error !== undefined) return { outcome: 'failed', error }
    const record = stored.find(
      ({ source, externalId }) => source === decision.source && externalId === decision.externalId,
    )
    // The database counts what it wrote of all together: ids tell which decisions these are.
    if (!record?.decisionId?.equals(ids[index] ?? '')) return { outcome: 'refused' }
    return { outcome: 'written', externalName: record.externalName, version: toVersion(record, decision.said) }
  })
}

/** Makes the writes of decisions that arrive at the same time one command. */
export const createDecisionWrites = (deps: { db: Database }): DecisionWrites =>
  createCoalescedWrites((decisions) => writeAll(deps, decisions))

interface UnansweredDecision {
  event: ConflictDecided
  /** The announcement that the write carried. */
  said: string
}

/**
 * Announces a decision or a reopening whose answer was lost, if it is stored and stands. A later change of the conflict was
 * announced by whoever made it.
 */
export async function announceDecisionAgain(
  { db, emit }: { db: Database; emit: Emitter },
  { event, said }: UnansweredDecision,
): Promise<void> {
  const { source, externalId, state } = event
  const record = await db.conflicts.findOne<Pick<ConflictDocument, '_id' | 'status' | 'decision' | 'rev'>>(
    { source, externalId, said },
    { projection: { status: 1, decision: 1, rev: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (record === null || toConflictState(record) !== state) return
  emit.conflicts.decided(event, { rev: record.rev, documentId: record._id.toHexString() })
}
