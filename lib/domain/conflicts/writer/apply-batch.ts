import { SOURCE_TITLES, type Source } from '#lib/contract/sources'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'
import { isAnswerLost } from '#lib/infrastructure/db/is-database-unreachable'
import type { Lease } from '#lib/infrastructure/db/lease'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import { StorageError } from '#lib/infrastructure/storage/storage'
import type { ConflictsDeps } from '../deps.ts'
import { commitDecision } from './commit-decision.ts'
import { chosenEntryId, type QueuedDecision } from './find-decisions.ts'
import { type LoadedDecision, loadDecisions } from './load-decisions.ts'
import { type PreparedDecision, prepareDecision } from './prepare-decision.ts'

export interface AppliedDecision {
  record: QueuedDecision
  rev: number
}

interface ApplyBatchInput {
  source: Source
  batch: readonly QueuedDecision[]
  lease: Pick<Lease, 'isHeld' | 'prolong'>
  workMs: number
  imagesMs: number
  /** Once it is aborted nothing more is begun; what was not begun stays queued. */
  stopping: AbortSignal
  signal: AbortSignal
  /** Empty; each decision is added as soon as it is committed. */
  applied: AppliedDecision[]
}

const CONCURRENCY = 4

function describeFailure(record: QueuedDecision, error: unknown): string {
  const title = `${SOURCE_TITLES[record.source]} ${chosenEntryId(record)}`.trimEnd()
  if (error instanceof SourceError) return `${title} could not be read: ${error.message}`
  if (error instanceof StorageError) return `The images of ${title} could not be stored: ${error.message}`
  return `${title} could not be written because of a fault of this service`
}

/** @returns the record's new `rev`; null where the decision stays queued, or is somebody else's by now */
async function apply(
  deps: ConflictsDeps,
  { record, entry }: LoadedDecision,
  { lease, imagesMs, signal }: ApplyBatchInput,
): Promise<number | null> {
  try {
    if (entry instanceof Error) throw entry
    const prepared = await prepareDecision(deps, { record, entry }, { imagesMs, signal })
    await deps.failpoint('writer:prepared')
    return await commitDecision(deps, prepared, lease)
  } catch (error) {
    if (isAnswerLost(error)) throw error
    if (signal.aborted) return null
    if (!(error instanceof SourceError)) {
      const { source, externalId } = record
      deps.log.error({ err: error, source, externalId }, 'a decision could not be applied')
    }
    const plan = { action: 'refuse', message: describeFailure(record, error) } as const
    const refused: PreparedDecision = { record, plan, entry: null, characters: null }
    return await commitDecision(deps, refused, lease)
  }
}

/**
 * Applies queued decisions: reads the source, copies images, then writes the game and closes the record, or sends it back to
 * review with the reason. However slow the source is, a batch finishes some decisions.
 * @throws the database's error when it is out of reach, once all decisions that were begun have ended
 */
export async function applyBatch(deps: ConflictsDeps, input: ApplyBatchInput): Promise<void> {
  const { source, batch, lease, workMs, stopping, signal, applied } = input
  const begunAt = performance.now()
  const mayBegin = (since: number) =>
    lease.isHeld() && !stopping.aborted && !(applied.length > 0 && performance.now() - since >= workMs)

  for await (const group of loadDecisions(deps, { source, records: batch, signal })) {
    const loadedAt = performance.now()
    await mapLimited(group, CONCURRENCY, async (loaded) => {
      if (!mayBegin(loadedAt)) return
      const rev = await apply(deps, loaded, input)
      if (rev !== null) applied.push({ record: loaded.record, rev })
    })
    if (!mayBegin(begunAt)) return
  }
}
