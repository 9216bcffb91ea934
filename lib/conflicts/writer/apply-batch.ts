import { asCompleted } from '../../concurrency/as-completed.ts'
import { SOURCE_TITLES, type Source } from '../../contract/sources.ts'
import { isAnswerLost } from '../../db/is-database-unreachable.ts'
import type { Lease } from '../../db/lease.ts'
import { SourceError } from '../../sources/transport/errors.ts'
import { StorageError } from '../../storage/storage.ts'
import { type CommitOutcome, commitDecision } from './commit-decision.ts'
import type { WriterDeps } from './deps.ts'
import { chosenEntryId, type QueuedDecision } from './find-decisions.ts'
import { type LoadedDecision, loadDecisions } from './load-decisions.ts'
import { type PreparedDecision, prepareDecision } from './prepare-decision.ts'

interface ApplyBatchInput {
  source: Source
  batch: readonly QueuedDecision[]
  lease: Pick<Lease, 'isHeld' | 'prolong'>
  /** Reading ends after this time, and then writing the entries that were read last. */
  workMs: number
  /** All downloads of one decision share this time. */
  imagesMs: number
  /** Once it is aborted nothing more is begun; what was not begun stays queued. */
  stopping: AbortSignal
  /** Ends calls and downloads that are under way. */
  signal: AbortSignal
}

/** `interrupted`: it stays queued. `uncertain`: the database did not answer, and may have written it. */
type DecisionOutcome = CommitOutcome | { outcome: 'interrupted' } | { outcome: 'uncertain'; error: unknown }

/** Decisions prepared at once. */
const CONCURRENCY = 4

function describeFailure(record: QueuedDecision, error: unknown): string {
  const title = `${SOURCE_TITLES[record.source]} ${chosenEntryId(record)}`.trimEnd()
  if (error instanceof SourceError) return `${title} could not be read: ${error.message}`
  if (error instanceof StorageError) return `The images of ${title} could not be stored: ${error.message}`
  return `${title} could not be written because of a fault of this service`
}

/** A decision that goes back to review, with a sentence for the admin who decides again. */
const refused = (record: QueuedDecision, message: string): PreparedDecision => ({
  record,
  plan: { action: 'refuse', message },
  resolved: null,
  characters: null,
})

async function finish(
  deps: WriterDeps,
  { record, entry }: LoadedDecision,
  { lease, imagesMs, signal }: ApplyBatchInput,
): Promise<DecisionOutcome> {
  const commit = (prepared: PreparedDecision) =>
    commitDecision(deps, {
      ...prepared,
      lease,
      externalData: entry instanceof Error ? null : (entry?.externalData ?? null),
    })
  try {
    if (entry instanceof Error) throw entry
    const resolved = entry?.resolved ?? null
    const prepared = await prepareDecision(deps, { record, resolved, imagesMs, signal })
    await deps.failpoint('writer:prepared')
    return await commit(prepared)
  } catch (error) {
    if (isAnswerLost(error)) throw error
    if (signal.aborted) return { outcome: 'interrupted' }
    if (!(error instanceof SourceError)) {
      const { source, externalId } = record
      deps.log.error({ err: error, source, externalId }, 'a decision could not be applied')
    }
    return await commit(refused(record, describeFailure(record, error)))
  }
}

/**
 * Applies queued decisions: reads the source, copies images, then writes the game and closes the record, or sends it back to
 * review with the reason. Yields each one that was written or sent back. However slow the source is, a batch finishes some
 * decisions.
 * @throws the database's error when it is out of reach, after the outcomes of all decisions that were begun
 */
export async function* applyBatch(
  deps: WriterDeps,
  input: ApplyBatchInput,
): AsyncGenerator<{ record: QueuedDecision; rev: number }> {
  const { source, batch, lease, workMs, stopping, signal } = input
  const begunAt = performance.now()
  let isAnyFinished = false
  const mayBegin = (since: number) =>
    lease.isHeld() && !stopping.aborted && !(isAnyFinished && performance.now() - since >= workMs)

  async function* applyLoaded(
    group: readonly LoadedDecision[],
  ): AsyncGenerator<{ record: QueuedDecision; rev: number }> {
    const loadedAt = performance.now()
    const failures: unknown[] = []
    const attempts = asCompleted(group, {
      limit: CONCURRENCY,
      work: async (loaded) => {
        const toUncertain = (error: unknown): DecisionOutcome => ({ outcome: 'uncertain', error })
        return { record: loaded.record, result: await finish(deps, loaded, input).catch(toUncertain) }
      },
      mayBegin: () => failures.length === 0 && mayBegin(loadedAt),
    })
    for await (const { record, result } of attempts) {
      if (result.outcome === 'uncertain') failures.push(result.error)
      if (result.outcome !== 'written' && result.outcome !== 'sent-back') continue
      isAnyFinished = true
      yield { record, rev: result.rev }
    }
    if (failures.length > 0) throw failures[0]
  }

  if (!mayBegin(begunAt)) return
  for await (const group of loadDecisions(deps, { source, records: batch, signal })) {
    yield* applyLoaded(group)
    if (!mayBegin(begunAt)) return
  }
}
