import { asCompleted } from '../../concurrency/as-completed.ts'
import { SOURCE_TITLES, type Source } from '../../contract/sources.ts'
import type { Lease } from '../../db/lease.ts'
import { SourceError } from '../../sources/transport/errors.ts'
import { StorageError } from '../../storage/storage.ts'
import { applyDecision } from './apply-decision.ts'
import { type ClaimedDecision, chosenEntryId, isInterruption, updateIfClaimed } from './claim-batch.ts'
import type { WriterDeps } from './deps.ts'
import { type LoadedDecision, loadDecisions } from './load-decisions.ts'

export interface DecisionOutcome {
  externalId: string
  /**
   * `uncertain`: the database did not answer, so that it may be written. `superseded`: a later holder of the lease has
   * claimed it. `interrupted`: it stays queued.
   */
  outcome: 'written' | 'sent-back' | 'uncertain' | 'superseded' | 'interrupted'
}

interface ApplyBatchInput {
  source: Source
  batch: readonly ClaimedDecision[]
  /** The lease under which the batch was claimed. */
  lease: Pick<Lease, 'isHeld'>
  /** Reading ends after this time, and then writing the entries that were read last. */
  workMs: number
  /** All downloads of one decision share this time. */
  imagesMs: number
  /** Once it is aborted nothing more is begun; what was not begun stays queued. */
  stopping: AbortSignal
  /** Ends calls and downloads that are under way. */
  signal: AbortSignal
}

/** The outcome of a decision, and the error after which no further one is begun. */
type ApplyAttempt = Pick<DecisionOutcome, 'outcome'> & { error?: unknown }

/** Decisions written at once. */
const CONCURRENCY = 4

function describeFailure(record: ClaimedDecision, error: unknown): string {
  const title = `${SOURCE_TITLES[record.source]} ${chosenEntryId(record)}`.trimEnd()
  if (error instanceof SourceError) return `${title} could not be read: ${error.message}`
  if (error instanceof StorageError) return `The images of ${title} could not be stored: ${error.message}`
  return `${title} could not be written because of a fault of this service`
}

/** Puts a record back to review, with a sentence for the admin who decides again. */
async function sendBackToReview(deps: WriterDeps, record: ClaimedDecision, message: string): Promise<ApplyAttempt> {
  const set = {
    decision: null,
    winner: null,
    winnerEntryId: null,
    decidedBy: null,
    failure: { message: { $literal: message }, at: '$$NOW' },
  }
  return { outcome: (await updateIfClaimed(deps, { record, set })) ? 'sent-back' : 'superseded' }
}

/** Writes one decision to the catalogue, then closes its record. */
async function finish(
  deps: WriterDeps,
  { record, entry }: LoadedDecision,
  { imagesMs, signal }: Pick<ApplyBatchInput, 'imagesMs' | 'signal'>,
): Promise<ApplyAttempt> {
  if (entry instanceof Error) throw entry
  const applied = await applyDecision(deps, { record, resolved: entry?.resolved ?? null, imagesMs, signal })
  if (applied.outcome === 'superseded') return applied
  if (applied.outcome === 'refused') return await sendBackToReview(deps, record, applied.message)

  const set = {
    status: record.decision === 'match' ? 'resolved' : 'absent',
    winner: applied.winner,
    failure: null,
    ...(entry?.externalData && { externalData: { $literal: entry.externalData } }),
  }
  return { outcome: (await updateIfClaimed(deps, { record, set })) ? 'written' : 'superseded' }
}

async function attempt(deps: WriterDeps, loaded: LoadedDecision, input: ApplyBatchInput): Promise<ApplyAttempt> {
  const { record } = loaded
  try {
    return await finish(deps, loaded, input).catch(async (error: unknown): Promise<ApplyAttempt> => {
      if (isInterruption(error)) throw error
      if (input.signal.aborted) return { outcome: 'interrupted' }
      if (!(error instanceof SourceError)) {
        const { source, externalId } = record
        deps.log.error({ err: error, source, externalId }, 'a decision could not be applied')
      }
      return await sendBackToReview(deps, record, describeFailure(record, error))
    })
  } catch (error) {
    return { outcome: 'uncertain', error }
  }
}

/**
 * Applies claimed decisions: reads the source, writes the game, then closes the record or sends it back to review with the
 * reason. Yields each outcome as it is known. However slow the source is, a batch finishes some decisions.
 * @throws the database's error when it is out of reach, after the outcomes of all decisions that were begun
 */
export async function* applyBatch(deps: WriterDeps, input: ApplyBatchInput): AsyncGenerator<DecisionOutcome> {
  const { source, batch, lease, workMs, stopping, signal } = input
  const begunAt = performance.now()
  let isAnyFinished = false
  const mayBegin = (since: number) =>
    lease.isHeld() && !stopping.aborted && !(isAnyFinished && performance.now() - since >= workMs)

  async function* applyLoaded(group: readonly LoadedDecision[]): AsyncGenerator<DecisionOutcome> {
    const loadedAt = performance.now()
    const failures: unknown[] = []
    const attempts = asCompleted(group, {
      limit: CONCURRENCY,
      work: async (loaded) => ({ ...(await attempt(deps, loaded, input)), externalId: loaded.record.externalId }),
      mayBegin: () => failures.length === 0 && mayBegin(loadedAt),
    })
    for await (const { externalId, outcome, error } of attempts) {
      if (outcome === 'uncertain') failures.push(error)
      if (outcome === 'written' || outcome === 'sent-back') isAnyFinished = true
      yield { externalId, outcome }
    }
    if (failures.length > 0) throw failures[0]
  }

  if (!mayBegin(begunAt)) return
  for await (const group of loadDecisions(deps, { source, records: batch, signal })) {
    yield* applyLoaded(group)
    if (!mayBegin(begunAt)) return
  }
}
