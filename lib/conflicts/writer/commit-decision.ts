import type { ClientSession, Document } from 'mongodb'
import type { Newcomer } from '../../characters/copy-mug-shots.ts'
import { deleteUnusedMugShots } from '../../characters/delete-unused-mug-shots.ts'
import { writeSourceCharacters } from '../../characters/write-source-characters.ts'
import { WRITER_MAX_WAIT_MS } from '../../concurrency/timeouts.ts'
import type { StoredSubject } from '../../db/collections/conflicts.ts'
import { isAnswerLost } from '../../db/is-database-unreachable.ts'
import type { Lease } from '../../db/lease.ts'
import { createSentBy } from '../../events/sent-by.ts'
import { createGame, linkEntry, unlinkEntry } from '../../games/write-entry.ts'
import { CLOSED, conflictQueueKey, QUEUED, WAITING } from '../states.ts'
import type { WriterDeps } from './deps.ts'
import { type Plan, type PreparedDecision, planDecision } from './prepare-decision.ts'

/**
 * `superseded`: the lease was lost, or somebody else has changed the record. `changed`: the catalogue has changed since the
 * decision was prepared, so that it stays queued.
 */
export type CommitOutcome =
  | { outcome: 'written' | 'sent-back'; rev: number; superseded?: readonly Newcomer[] }
  | { outcome: 'superseded' | 'changed' }

interface CommitInput extends PreparedDecision {
  lease: Pick<Lease, 'prolong'>
  /** The entry as its record keeps it, null where it keeps what it has. */
  externalData: StoredSubject | null
}

/** The fields of the record that a decision leaves, in the form of a pipeline's `$set`. */
function toFields(plan: Plan, { record, externalData }: CommitInput): Document {
  if (plan.action === 'refuse') {
    const failure = { message: { $literal: plan.message }, at: '$$NOW' }
    return { decision: null, winner: null, winnerEntryId: null, decidedBy: null, failure }
  }
  const created = plan.action === 'close' ? plan.winner : plan.gameId
  return {
    status: record.decision === 'match' ? 'resolved' : 'absent',
    winner: record.decision === 'match' ? (record.winner ?? null) : created,
    failure: null,
    ...(externalData && { externalData: { $literal: externalData } }),
  }
}

/** @returns the record's new `rev`; null when it does not wait with this decision any more */
async function settle(
  deps: WriterDeps,
  { record: { _id, decision, decisionId = null } }: CommitInput,
  { fields, session }: { fields: Document; session: ClientSession },
): Promise<number | null> {
  const rev = { $add: [{ $ifNull: ['$rev', 0] }, 1] }
  const settled = await deps.db.conflicts.findOneAndUpdate(
    { _id, status: 'pending', decision, decisionId },
    [{ $set: { ...fields, rev, sentBy: createSentBy(deps), updatedAt: '$$NOW' } }],
    { session, returnDocument: 'after', projection: { rev: 1 } },
  )
  return settled?.rev ?? null
}

async function writeGame(deps: WriterDeps, plan: Plan, { resolved }: CommitInput, session: ClientSession) {
  if (resolved === null || plan.action === 'refuse' || plan.action === 'close') return
  if (plan.action === 'create') {
    await createGame(deps, { gameId: plan.gameId, resolved, session })
    return await deps.failpoint('writer:created')
  }
  const { gameId, loses, writes } = plan
  if (loses !== null) {
    await unlinkEntry(deps, { ...loses, session })
    await deps.failpoint('writer:unlinked')
  }
  await linkEntry(deps, { gameId, resolved, writes, session })
  await deps.failpoint('writer:linked')
}

const toPlanKey = (plan: Plan) => ('gameId' in plan ? `${plan.action} ${plan.gameId}` : plan.action)

async function write(deps: WriterDeps, input: CommitInput, session: ClientSession): Promise<CommitOutcome> {
  const { lease, record, resolved, characters, plan: prepared } = input
  if (!(await lease.prolong(session))) return { outcome: 'superseded' }
  await deps.failpoint('writer:prolonged')
  const plan = prepared.action === 'refuse' ? prepared : await planDecision(deps, { record, resolved, session })
  if (plan.action !== 'refuse' && toPlanKey(plan) !== toPlanKey(prepared)) return { outcome: 'changed' }

  const rev = await settle(deps, input, { fields: toFields(plan, input), session })
  if (rev === null) return { outcome: 'superseded' }
  await deps.failpoint('writer:settled')
  if (plan.action === 'refuse') return { outcome: 'sent-back', rev }
  await writeGame(deps, plan, input, session)
  if (characters === null || !('gameId' in plan)) return { outcome: 'written', rev }
  const { superseded } = await writeSourceCharacters(deps, { gameId: plan.gameId, prepared: characters, session })
  await deps.failpoint('writer:characters-written')
  return { outcome: 'written', rev, superseded }
}

/**
 * Writes a decision in one transaction with the lease of its source: the record and the games, or nothing. Decisions of one
 * source are committed one after another, since each writes the lease, and after the announcement of their records.
 */
export async function commitDecision(deps: WriterDeps, input: CommitInput): Promise<CommitOutcome> {
  const { source } = input.record
  const wait = { maxWaitMs: WRITER_MAX_WAIT_MS }
  async function commit(): Promise<CommitOutcome> {
    const begunAt = performance.now()
    try {
      const committed = await deps.db.transaction((session) => write(deps, input, session))
      await deps.failpoint('writer:committed')
      return committed
    } catch (error) {
      if (isAnswerLost(error)) deps.feed.answerLost(begunAt)
      throw error
    }
  }
  const inRecordQueue = () => deps.queue.run(conflictQueueKey(input.record), commit, wait)
  const committed = await deps.queue.run(`conflicts/${source}`, inRecordQueue, wait)
  const { counts } = deps.conflictReads
  if (committed.outcome === 'written') {
    counts.moved(source, QUEUED, CLOSED)
    await deleteUnusedMugShots(deps, committed.superseded ?? [])
  }
  if (committed.outcome === 'sent-back') counts.moved(source, QUEUED, WAITING)
  return committed
}
