import { hostname } from 'node:os'
import { ObjectId, type UpdateFilter } from 'mongodb'
import type { SyncSource } from '#lib/contract/sync'
import type { SyncCount, SyncDocument } from '#lib/infrastructure/db/collections/syncs'
import { isDuplicateKey } from '#lib/infrastructure/db/duplicate-key'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import type { WalkDeps } from './deps.ts'
import { type TakenEntry, type WalkOptions, type WalkStep, walkPages } from './walk-pages.ts'

export const NO_COUNTS: Readonly<Record<SyncCount, number>> = {
  read: 0,
  matched: 0,
  new: 0,
  waiting: 0,
  refreshed: 0,
  unchanged: 0,
  refused: 0,
}

export const leaseOf = (source: SyncSource) => `sync/${source}`

export function countEntries(entries: readonly TakenEntry[]): Record<SyncCount, number> {
  const counts = { ...NO_COUNTS, read: entries.length }
  for (const { outcome } of entries) counts[outcome === 'decided' ? 'unchanged' : outcome] += 1
  return counts
}

/** The update that begins a walk where the last one ended, or at a cursor. */
export const toNewWalk = (startedAt: Date, cursor?: string): UpdateFilter<SyncDocument> => ({
  $set: {
    state: 'running',
    walkId: new ObjectId(),
    startedAt,
    message: null,
    reader: null,
    ...NO_COUNTS,
    ...(cursor !== undefined && { cursor }),
  },
  $setOnInsert: { finishedAt: null, ...(cursor === undefined && { cursor: null }) },
})

/** Begins a walk unless one runs; with a cursor, begins it anyway. Only the holder of the lease may call this. */
export async function beginWalk({ db, clock }: WalkDeps, source: SyncSource, cursor?: string): Promise<void> {
  const filter = { _id: source, ...(cursor === undefined && { state: { $ne: 'running' } as const }) }
  await db.syncs.updateOne(filter, toNewWalk(clock(), cursor), { upsert: true }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error
  })
}

/** Stores a step. Answers null where somebody stopped the walk or another process continued it. */
async function storeStep(deps: WalkDeps, walk: SyncDocument, step: WalkStep): Promise<SyncDocument | null> {
  const { _id, walkId, cursor } = walk
  const update: UpdateFilter<SyncDocument> =
    step.kind === 'pause'
      ? { $set: { message: step.message } }
      : {
          $set: {
            cursor: step.cursor,
            message: null,
            ...(step.isLast && { state: 'idle', finishedAt: deps.clock() }),
          },
          $inc: countEntries(step.entries),
        }
  const stored = await deps.db.syncs.findOneAndUpdate({ _id, walkId, cursor, state: 'running' }, update, {
    returnDocument: 'after',
  })
  await deps.failpoint('sync:stored')
  return stored
}

type RunOptions = Pick<WalkOptions, 'source' | 'limit' | 'pauseMs' | 'stopping' | 'signal'> & {
  onStep?: (walk: SyncDocument) => void
}

/**
 * Continues the walk of a source. The caller holds its lease. The cursor is stored after each page, so that a killed process
 * repeats one page.
 * @returns the walk as it was left; null when none runs
 * @throws the database's error
 */
export async function runWalk(
  deps: WalkDeps,
  { source, onStep = () => undefined, ...options }: RunOptions,
): Promise<SyncDocument | null> {
  const { syncs } = deps.db
  const reader = `${hostname()}, process ${process.pid}`
  let walk = await syncs.findOneAndUpdate(
    { _id: source, state: 'running' },
    { $set: { reader } },
    { returnDocument: 'after' },
  )
  if (walk === null) return null

  const { syncNew } = deps.config
  try {
    for await (const step of walkPages(deps, { source, syncNew, cursor: walk.cursor, ...options })) {
      const stored = await storeStep(deps, walk, step)
      if (stored === null) break
      walk = stored
      onStep(walk)
    }
  } catch (error) {
    if (options.signal.aborted) return walk
    if (!(error instanceof SourceError)) throw error
    const { walkId } = walk
    const end = { state: 'idle', finishedAt: deps.clock(), message: error.message } as const
    await syncs.updateOne({ _id: source, walkId, state: 'running' }, { $set: end })
  }
  return await syncs.findOne({ _id: source })
}
