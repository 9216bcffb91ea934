import type { ClientSession, Document } from 'mongodb'
import { WRITER_MAX_WAIT_MS } from '#lib/infrastructure/concurrency/timeouts'
import { isAnswerLost } from '#lib/infrastructure/db/is-database-unreachable'
import type { Lease } from '#lib/infrastructure/db/lease'
import { createSentBy } from '#lib/infrastructure/events/sent-by'
import type { Newcomer } from '../../catalogue/characters/copy-mug-shots.ts'
import { writeSourceCharacters } from '../../catalogue/characters/write-source-characters.ts'
import { changeGame } from '../../catalogue/games/change-game.ts'
import { entryChanges } from '../../catalogue/games/entry-changes.ts'
import { insertGame } from '../../catalogue/games/insert-game.ts'
import { unlinkEntry } from '../../catalogue/games/unlink-entry.ts'
import type { ConflictsDeps } from '../deps.ts'
import { CLOSED, conflictQueueKey, NEXT_REV, QUEUED, WAITING } from '../states.ts'
import type { CopiedImages } from './copy.ts'
import type { LoadedDecision } from './load-decisions.ts'
import { isWhole, type Plan, plan } from './plan.ts'

export interface CopiedDecision extends LoadedDecision {
  copied: CopiedImages | null
}

export type Outcome =
  /** The decision was written or sent back. `superseded` lists prepared characters that another process created meanwhile. */
  | { outcome: 'applied'; rev: number; stage: typeof CLOSED | typeof WAITING; superseded: readonly Newcomer[] }
  /** Another instance has the lease, or the record is no longer queued with this decision. */
  | { outcome: 'lost' }
  | { outcome: 'left' }

/** Returns the fields that the decision sets in its record, as a pipeline's `$set`. */
function toFields(planned: Plan, { record, entry }: LoadedDecision): Document {
  if (planned.action === 'refuse') {
    const failure = { message: { $literal: planned.message }, at: '$$NOW' }
    // An entry that cannot be read now stays linked, and the next time that it is handed over it is parsed.
    if (record.isRefresh && entry instanceof Error) {
      return { status: 'resolved', isRefresh: false, entryHash: null, failure }
    }
    const nobody = { decidedBy: null, isAutomatic: false, isRefresh: false }
    return { decision: null, winner: null, winnerEntryId: null, ...nobody, failure }
  }
  const created = planned.action === 'close' ? planned.winner : planned.gameId
  const externalData = entry instanceof Error ? null : entry?.externalData
  return {
    status: record.decision === 'match' ? 'resolved' : 'absent',
    winner: record.decision === 'match' ? (record.winner ?? null) : created,
    failure: null,
    isRefresh: false,
    ...(externalData && { externalData: { $literal: externalData } }),
  }
}

async function writeGame(deps: ConflictsDeps, planned: Plan, copied: CopiedImages | null, session: ClientSession) {
  if (planned.action !== 'write') return []
  const { gameId, game, writes, loser } = planned
  const isCopied = isWhole(planned) && copied !== null
  const resolved = isCopied ? copied.resolved : planned.resolved
  if (loser !== undefined) {
    await unlinkEntry(deps, { gameId: loser, source: resolved.source, id: resolved.id, session })
    await deps.failpoint('writer:unlinked')
  }
  if (game === null) {
    const fields = { ...entryChanges(null, resolved), name: resolved.fields.name }
    await insertGame(deps, { ...fields, _id: gameId }, { session })
    await deps.failpoint('writer:created')
  } else {
    await changeGame(deps, gameId, (stored) => ({ $set: entryChanges(stored, resolved, writes) }), { session })
    await deps.failpoint('writer:linked')
  }
  if (!isCopied) return []
  const { superseded } = await writeSourceCharacters(deps, { gameId, prepared: copied.characters, session })
  await deps.failpoint('writer:characters-written')
  return superseded
}

async function write(
  deps: ConflictsDeps,
  decision: CopiedDecision,
  { lease, session }: { lease: Pick<Lease, 'prolong'>; session: ClientSession },
): Promise<Outcome> {
  const { record, copied } = decision
  if (!(await lease.prolong(session))) return { outcome: 'lost' }
  await deps.failpoint('writer:prolonged')
  const planned = await plan(deps, decision, session)
  // The catalogue has changed since the images were copied.
  if (isWhole(planned) && !copied?.gameId.equals(planned.gameId)) return { outcome: 'left' }

  const { _id, decision: decided, decisionId = null } = record
  const settled = await deps.db.conflicts.findOneAndUpdate(
    { _id, status: 'pending', decision: decided, decisionId },
    [{ $set: { ...toFields(planned, decision), rev: NEXT_REV, sentBy: createSentBy(deps), updatedAt: '$$NOW' } }],
    { session, returnDocument: 'after', projection: { rev: 1, status: 1 } },
  )
  if (settled?.rev === undefined) return { outcome: 'lost' }
  await deps.failpoint('writer:settled')
  const superseded = await writeGame(deps, planned, copied, session)
  const stage = settled.status === 'pending' ? WAITING : CLOSED
  return { outcome: 'applied', rev: settled.rev, stage, superseded }
}

/**
 * Plans and writes a decision in one transaction with the lease of its source: the record and the games, or nothing.
 * Decisions of one source are committed one after another, since each writes the lease, and after the announcement of their
 * records.
 */
export async function commit(deps: ConflictsDeps, decision: CopiedDecision, lease: Pick<Lease, 'prolong'>) {
  const { source } = decision.record
  const wait = { maxWaitMs: WRITER_MAX_WAIT_MS }
  async function transact(): Promise<Outcome> {
    const begunAt = performance.now()
    try {
      const written = await deps.db.transaction((session) => write(deps, decision, { lease, session }))
      await deps.failpoint('writer:committed')
      return written
    } catch (error) {
      if (isAnswerLost(error)) deps.feed.answerLost(begunAt)
      throw error
    }
  }
  const inRecordQueue = () => deps.queue.run(conflictQueueKey(decision.record), transact, wait)
  const committed = await deps.queue.run(`conflicts/${source}`, inRecordQueue, wait)
  if (committed.outcome === 'applied') deps.conflictCounts.moved(source, QUEUED, committed.stage)
  return committed
}
