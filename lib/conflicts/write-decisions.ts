import { ObjectId, type UpdateFilter } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { type CoalescedWrites, createCoalescedWrites } from '../concurrency/coalesced-writes.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictSummary, DecisionBody } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import type { Source } from '../contract/sources.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { Database } from '../db/connect.ts'
import { refusedWrites } from '../db/refused-writes.ts'
import type { Emitter, EventVersion } from '../emitter.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffActionAfter } from '../staff/record-staff-action-after.ts'
import type { ConflictReads } from './conflict-reads.ts'
import { conflictId, toConflictState, UNDECIDED } from './states.ts'
import { textOr } from './stored-values.ts'
import { summarizeConflicts } from './summarize-conflicts.ts'

export interface DecisionToWrite extends Pick<ConflictDocument, 'source' | 'externalId'> {
  /** The chosen game; null for a skip and for an entry. */
  gameId: ObjectId | null
  /** The chosen entry of `hltb`; null for a skip and for a game. */
  entryId: string | null
  /** The same as it was asked for, for the staff log. */
  choice: DecisionBody
  admin: SessionUser
  /** The announcement that the write carries. */
  said: string
}

/** `refused`: the conflict does not wait for a decision, or the choice is not among its candidates or entries. */
type WrittenDecision =
  | { outcome: 'written'; version: EventVersion; recorded: Promise<void>; summary: Promise<ConflictSummary> }
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

type DecisionsDeps = StaffDeps & { conflictReads: ConflictReads }

async function readStored({ db }: DecisionsDeps, decisions: readonly DecisionToWrite[]): Promise<Stored[]> {
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

const recordDecision = (
  deps: DecisionsDeps,
  { source, externalId, choice, admin }: DecisionToWrite,
  { externalName }: Stored,
) =>
  recordStaffActionAfter(deps, {
    admin,
    action: 'conflict-decided',
    target: { kind: 'conflict', id: conflictId({ source, externalId }), name: textOr(externalName, externalId) },
    details: choice,
  })

/**
 * Decides different conflicts together: writes all in one command, each under its own filter. Those that were written are
 * recorded, and what is left is counted, while they are announced.
 */
async function writeAll(deps: DecisionsDeps, decisions: readonly DecisionToWrite[]) {
  const ids = decisions.map(() => new ObjectId())
  const updates = decisions.map((decision, index) => toUpdate(decision, ids[index] ?? new ObjectId()))
  const options = { ordered: false, maxTimeMS: MAX_TIME_MS }
  const refused = await refusedWrites(() => deps.db.conflicts.bulkWrite(updates, options))
  const stored = await readStored(deps, decisions)

  const summaries = new Map<Source, Promise<ConflictSummary>>()
  const records: Promise<void>[] = []

  const results = decisions.map((decision, index): WrittenDecision => {
    const error = refused.get(index)
    if (error !== undefined) return { outcome: 'failed', error }
    const record = stored.find(
      ({ source, externalId }) => source === decision.source && externalId === decision.externalId,
    )
    // The database counts what it wrote of all together: ids tell which decisions these are.
    if (!record?.decisionId?.equals(ids[index] ?? '')) return { outcome: 'refused' }
    const { source } = decision
    const summary = summaries.get(source) ?? summarizeConflicts(deps, { source })
    summaries.set(source, summary)
    const recorded = recordDecision(deps, decision, record)
    records.push(recorded)
    return { outcome: 'written', version: toVersion(record, decision.said), recorded, summary }
  })
  return { results, rest: Promise.allSettled([...records, ...summaries.values()]) }
}

/** Makes the decisions that arrive at the same time share their commands. */
export const createDecisionWrites = (deps: DecisionsDeps): DecisionWrites =>
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
