import type { ClientSession, Document } from 'mongodb'
import { WRITER_MAX_WAIT_MS } from '#lib/infrastructure/concurrency/timeouts'
import { isAnswerLost } from '#lib/infrastructure/db/is-database-unreachable'
import type { Lease } from '#lib/infrastructure/db/lease'
import { createSentBy } from '#lib/infrastructure/events/sent-by'
import type { Newcomer } from '../../catalogue/characters/copy-mug-shots.ts'
import { deleteUnusedMugShots } from '../../catalogue/characters/delete-unused-mug-shots.ts'
import { writeSourceCharacters } from '../../catalogue/characters/write-source-characters.ts'
import { createGame, linkEntry, unlinkEntry } from '../../catalogue/games/write-entry.ts'
import type { ConflictsDeps } from '../deps.ts'
import { CLOSED, conflictQueueKey, NEXT_REV, QUEUED, type Stage, WAITING } from '../states.ts'
import { type Plan, type PreparedDecision, planDecision } from './prepare-decision.ts'

interface Committed {
  rev: number
  stage: Stage
  /** Characters that somebody else has made meanwhile. */
  superseded: readonly Newcomer[]
}

/** The fields of the record that a decision leaves, in the form of a pipeline's `$set`. */
function toFields(plan: Plan, { record, entry }: PreparedDecision): Document {
  if (plan.action === 'refuse') {
    const failure = { message: { $literal: plan.message }, at: '$$NOW' }
    return { decision: null, winner: null, winnerEntryId: null, decidedBy: null, failure }
  }
  const created = plan.action === 'close' ? plan.winner : plan.gameId
  return {
    status: record.decision === 'match' ? 'resolved' : 'absent',
    winner: record.decision === 'match' ? (record.winner ?? null) : created,
    failure: null,
    ...(entry?.externalData && { externalData: { $literal: entry.externalData } }),
  }
}

async function writeGame(deps: ConflictsDeps, plan: Plan, { entry }: PreparedDecision, session: ClientSession) {
  if (entry === null || plan.action === 'refuse' || plan.action === 'close') return
  const { gameId } = plan
  const { resolved } = entry
  if (plan.action === 'create') {
    await createGame(deps, { gameId, resolved, session })
    return await deps.failpoint('writer:created')
  }
  if (plan.loses !== null) {
    await unlinkEntry(deps, { ...plan.loses, session })
    await deps.failpoint('writer:unlinked')
  }
  await linkEntry(deps, { gameId, resolved, writes: plan.writes, session })
  await deps.failpoint('writer:linked')
}

const toPlanKey = (plan: Plan) => ('gameId' in plan ? `${plan.action} ${plan.gameId}` : plan.action)

async function write(
  deps: ConflictsDeps,
  decision: PreparedDecision,
  { lease, session }: { lease: Pick<Lease, 'prolong'>; session: ClientSession },
): Promise<Committed | null> {
  const { record, entry, characters, plan: prepared } = decision
  if (!(await lease.prolong(session))) return null
  await deps.failpoint('writer:prolonged')
  const plan = prepared.action === 'refuse' ? prepared : await planDecision(deps, { record, entry, session })
  // The catalogue has changed since the decision was prepared.
  if (plan.action !== 'refuse' && toPlanKey(plan) !== toPlanKey(prepared)) return null

  const { _id, decision: decided, decisionId = null } = record
  const settled = await deps.db.conflicts.findOneAndUpdate(
    { _id, status: 'pending', decision: decided, decisionId },
    [{ $set: { ...toFields(plan, decision), rev: NEXT_REV, sentBy: createSentBy(deps), updatedAt: '$$NOW' } }],
    { session, returnDocument: 'after', projection: { rev: 1 } },
  )
  if (settled?.rev === undefined) return null
  const { rev } = settled
  await deps.failpoint('writer:settled')
  if (plan.action === 'refuse') return { rev, stage: WAITING, superseded: [] }
  await writeGame(deps, plan, decision, session)
  if (characters === null || !('gameId' in plan)) return { rev, stage: CLOSED, superseded: [] }
  const { superseded } = await writeSourceCharacters(deps, { gameId: plan.gameId, prepared: characters, session })
  await deps.failpoint('writer:characters-written')
  return { rev, stage: CLOSED, superseded }
}

/**
 * Writes a decision in one transaction with the lease of its source: the record and the games, or nothing. Decisions of one
 * source are committed one after another, since each writes the lease, and after the announcement of their records.
 * @returns the record's new `rev`; null where the decision stays queued, or is somebody else's by now
 */
export async function commitDecision(
  deps: ConflictsDeps,
  decision: PreparedDecision,
  lease: Pick<Lease, 'prolong'>,
): Promise<number | null> {
  const { source } = decision.record
  const wait = { maxWaitMs: WRITER_MAX_WAIT_MS }
  async function commit(): Promise<Committed | null> {
    const begunAt = performance.now()
    try {
      const committed = await deps.db.transaction((session) => write(deps, decision, { lease, session }))
      await deps.failpoint('writer:committed')
      return committed
    } catch (error) {
      if (isAnswerLost(error)) deps.feed.answerLost(begunAt)
      throw error
    }
  }
  const inRecordQueue = () => deps.queue.run(conflictQueueKey(decision.record), commit, wait)
  const committed = await deps.queue.run(`conflicts/${source}`, inRecordQueue, wait)
  if (committed === null) return null
  deps.conflictCounts.moved(source, QUEUED, committed.stage)
  await deleteUnusedMugShots(deps, committed.superseded).catch((err: unknown) =>
    deps.log.warn({ err }, 'superseded images could not be deleted'),
  )
  return committed.rev
}
