import type { Source } from '#lib/contract/sources'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'
import { isAnswerLost } from '#lib/infrastructure/db/is-database-unreachable'
import type { Lease } from '#lib/infrastructure/db/lease'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import { deleteUnusedMugShots } from '../../catalogue/characters/copy-mug-shots.ts'
import type { ConflictsDeps } from '../deps.ts'
import { commit, type Outcome } from './commit.ts'
import { copy, createImageLimits } from './copy.ts'
import type { QueuedDecision } from './find-decisions.ts'
import { type LoadedDecision, loadDecisions } from './load-decisions.ts'

interface AppliedDecision {
  record: QueuedDecision
  rev: number
}

interface ApplyBatchInput {
  source: Source
  batch: readonly QueuedDecision[]
  lease: Pick<Lease, 'isHeld' | 'prolong'>
  workMs: number
  imagesMs: number
  /** Aborts when no further decision may be begun; decisions that were not begun stay queued. */
  stopping: AbortSignal
  signal: AbortSignal
}

const CONCURRENCY = 4

type ApplyDecisionInput = ApplyBatchInput & { images: ReturnType<typeof createImageLimits> }

/** Copies the images of a decision, commits it, cleans up. A decision that fails is sent back to review with the reason. */
async function applyDecision(deps: ConflictsDeps, loaded: LoadedDecision, input: ApplyDecisionInput): Promise<Outcome> {
  const { lease, signal } = input
  try {
    if (loaded.entry instanceof Error) throw loaded.entry
    const copied = await copy(deps, loaded, input)
    await deps.failpoint('writer:prepared')
    const committed = await commit(deps, { ...loaded, copied }, lease)
    if (committed.outcome === 'applied') {
      await deleteUnusedMugShots(deps, committed.superseded).catch((err: unknown) =>
        deps.log.warn({ err }, 'superseded images could not be deleted'),
      )
    }
    return committed
  } catch (error) {
    if (isAnswerLost(error) || !(error instanceof Error)) throw error
    if (signal.aborted) return { outcome: 'left' }
    const { record } = loaded
    const { source, externalId } = record
    if (!(error instanceof SourceError)) {
      deps.log.error({ err: error, source, externalId }, 'a decision could not be applied')
    }
    return await commit(deps, { record, entry: error, copied: null }, lease)
  }
}

/**
 * Applies queued decisions: reads the source, copies images, then writes the game and closes the record, or sends it back to
 * review with the reason. However slow the source is, a batch finishes some decisions.
 * @throws the database's error when it is out of reach, once all decisions that were begun have ended and those that were
 * applied are yielded
 */
export async function* applyBatch(deps: ConflictsDeps, input: ApplyBatchInput): AsyncGenerator<AppliedDecision> {
  const { source, batch, lease, workMs, stopping, signal } = input
  const begunAt = performance.now()
  const images = createImageLimits()
  let hasApplied = false
  const mayBegin = (since: number) =>
    lease.isHeld() && !stopping.aborted && !(hasApplied && performance.now() - since >= workMs)

  for await (const group of loadDecisions(deps, { source, records: batch, signal })) {
    const loadedAt = performance.now()
    const applied: AppliedDecision[] = []
    try {
      await mapLimited(group, CONCURRENCY, async (loaded) => {
        if (!mayBegin(loadedAt)) return
        const result = await applyDecision(deps, loaded, { ...input, images })
        if (result.outcome !== 'applied') return
        hasApplied = true
        applied.push({ record: loaded.record, rev: result.rev })
      })
    } finally {
      yield* applied
    }
    if (!mayBegin(begunAt)) return
  }
}
