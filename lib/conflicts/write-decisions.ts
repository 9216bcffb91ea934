import { MongoBulkWriteError, ObjectId, type UpdateFilter } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { type CoalescedWrites, createCoalescedWrites } from '../concurrency/coalesced-writes.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { Database } from '../db/connect.ts'
import { isDatabaseUnreachable } from '../db/is-database-unreachable.ts'
import { UNDECIDED } from './states.ts'

export interface DecisionToWrite extends Pick<ConflictDocument, 'source' | 'externalId'> {
  /** The chosen game; null for a skip and for an entry. */
  gameId: ObjectId | null
  /** The chosen entry of `hltb`; null for a skip and for a game. */
  entryId: string | null
  admin: SessionUser
  /** Event that the write carries. */
  said: string
}

/** `refused`: the conflict does not wait for a decision, or the choice is not among its candidates or entries. */
export type WrittenDecision =
  | { outcome: 'written'; externalName: string }
  | { outcome: 'refused' }
  | { outcome: 'failed'; error: unknown }

export type DecisionWrites = CoalescedWrites<DecisionToWrite, WrittenDecision>

type Stored = Pick<ConflictDocument, 'source' | 'externalId' | 'externalName' | 'decisionId'>

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
      { projection: { _id: 0, source: 1, externalId: 1, externalName: 1, decisionId: 1 }, maxTimeMS: MAX_TIME_MS },
    )
    .toArray()
}

/** Writes decisions of different conflicts in one command, each under its own filter. */
async function writeAll(deps: { db: Database }, decisions: readonly DecisionToWrite[]): Promise<WrittenDecision[]> {
  const ids = decisions.map(() => new ObjectId())
  const failures = new Map<number, unknown>()
  const updates = decisions.map((decision, index) => toUpdate(decision, ids[index] ?? new ObjectId()))
  const write = async () => {
    try {
      return (await deps.db.conflicts.bulkWrite(updates, { ordered: false, maxTimeMS: MAX_TIME_MS })).matchedCount
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || isDatabaseUnreachable(error)) throw error
      for (const failure of [error.writeErrors].flat()) failures.set(failure.index, failure)
      return error.matchedCount
    }
  }
  const [matched, named] = await Promise.all([write(), readStored(deps, decisions)])
  const areAllWritten = matched === decisions.length
  // The database counts what it wrote of all together: ids tell which decisions these are.
  const stored = areAllWritten ? named : await readStored(deps, decisions)

  return decisions.map(({ source, externalId }, index): WrittenDecision => {
    const error = failures.get(index)
    if (error !== undefined) return { outcome: 'failed', error }
    const record = stored.find((each) => each.source === source && each.externalId === externalId)
    const isWritten = areAllWritten || record?.decisionId?.equals(ids[index] ?? '')
    return isWritten ? { outcome: 'written', externalName: record?.externalName ?? '' } : { outcome: 'refused' }
  })
}

/** Makes the writes of decisions that arrive at the same time one command. */
export const createDecisionWrites = (deps: { db: Database }): DecisionWrites =>
  createCoalescedWrites((decisions) => writeAll(deps, decisions))
