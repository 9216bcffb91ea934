import type { Source } from '../../contract/sources.ts'
import { SourceError } from '../../sources/transport/errors.ts'
import { StorageError } from '../../storage/storage.ts'
import { applyDecision } from './apply-decision.ts'
import { type ClaimedDecision, entryIdOf } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'
import { isInterruption } from './interruption.ts'
import { type LoadedDecision, loadDecisions } from './load-decisions.ts'
import { sendBackToReview } from './send-back-to-review.ts'
import { settleDecision } from './settle-decision.ts'

interface Batch {
  source: Source
  /** Records that carry `fence`. */
  batch: readonly ClaimedDecision[]
  fence: number
  /** How long the batch may read, and then write what it read last. */
  workMs: number
  /** What all downloads of one decision share. */
  imagesMs: number
  /** Asked before each call and each decision; what is not begun stays queued. */
  mayGoOn: () => boolean
  /** Ends what is under way; it stays queued. */
  signal: AbortSignal
  /** Called once for each entry that was written to a game or returned to review. */
  onWritten: (externalId: string) => void
  /** Called with a record that may have been written, although the database did not answer. */
  onDoubt: (record: ClaimedDecision) => void
}

/** Decisions written at once. */
const WRITTEN_AT_ONCE = 4
const TITLES = { igdb: 'IGDB', vndb: 'VNDB', hltb: 'HLTB', ra: 'RetroAchievements' } as const satisfies Record<
  Source,
  string
>

function sentenceFor(record: ClaimedDecision, error: unknown): string {
  const title = `${TITLES[record.source]} ${entryIdOf(record)}`.trimEnd()
  if (error instanceof SourceError) return `${title} could not be read: ${error.message}`
  if (error instanceof StorageError) return `The images of ${title} could not be stored: ${error.message}`
  return `${title} could not be written because of a fault of this service`
}

/**
 * Applies decisions that a writer has in hand: reads the source, writes the game, then closes the record or puts it
 * back to review with the reason. However slow the source is, a batch gets on by some decisions.
 * @throws what the database throws when it is out of reach
 */
export async function applyBatch(
  deps: WriterDeps,
  { source, batch, fence, workMs, imagesMs, mayGoOn, signal, onWritten, onDoubt }: Batch,
): Promise<void> {
  const begunAt = performance.now()
  let isAnyWritten = false
  const isOver = (since: number) => isAnyWritten && performance.now() - since >= workMs

  async function finish({ record, entry }: LoadedDecision): Promise<boolean> {
    if (entry instanceof Error) throw entry
    const applied = await applyDecision(deps, { record, resolved: entry?.resolved ?? null, fence, imagesMs, signal })
    if (applied.outcome === 'fenced') return false
    if (applied.outcome === 'refused') return sendBackToReview(deps, { record, fence, message: applied.message })
    const externalData = entry?.externalData ?? null
    return settleDecision(deps, { record, fence, winner: applied.winner, externalData })
  }

  async function returnFailed(record: ClaimedDecision, error: unknown): Promise<boolean> {
    if (isInterruption(error)) throw error
    if (signal.aborted) return false
    if (!(error instanceof SourceError)) {
      deps.log.error({ err: error, source, externalId: record.externalId }, 'a decision could not be applied')
    }
    return sendBackToReview(deps, { record, fence, message: sentenceFor(record, error) })
  }

  async function finishOrReturn(atHand: LoadedDecision): Promise<void> {
    const { record } = atHand
    try {
      const isWritten = await finish(atHand).catch((error: unknown) => returnFailed(record, error))
      if (!isWritten) return
    } catch (error) {
      onDoubt(record)
      throw error
    }
    isAnyWritten = true
    onWritten(record.externalId)
  }

  const mayReadOn = () => mayGoOn() && !isOver(begunAt)
  for await (const group of loadDecisions(deps, { source, records: batch, mayReadOn, signal })) {
    const readAt = performance.now()
    const queue = group.values()
    const work = async () => {
      for (const atHand of queue) {
        if (!mayGoOn() || isOver(readAt)) return
        await finishOrReturn(atHand)
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: WRITTEN_AT_ONCE }, work))
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
