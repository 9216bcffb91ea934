import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { SOURCE_TITLES } from '#lib/contract/sources'
import type { Sync, SyncSource } from '#lib/contract/sync'
import { isDuplicateKey } from '#lib/infrastructure/db/duplicate-key'
import type { Actor } from '../auth/actor.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { SyncDeps } from './deps.ts'
import { listSyncs } from './list-syncs.ts'
import { toNewWalk } from './run-walk.ts'
import type { SourceSyncs } from './source-syncs.ts'

type ChangeDeps = SyncDeps & { sourceSyncs: Pick<SourceSyncs, 'wake'> }

async function readSync(deps: SyncDeps, source: SyncSource): Promise<Sync> {
  const sync = (await listSyncs(deps)).find((each) => each.source === source)
  if (sync === undefined) throw new Error(`there is no sync of ${source}`)
  return sync
}

const toTarget = (source: SyncSource) => ({ kind: 'source', id: source, name: SOURCE_TITLES[source] }) as const

/**
 * Starts a walk of a source, on whatever instance takes it up first.
 * @throws DomainError INVALID where the source is off, CONFLICT while a walk runs
 */
export async function startSync(deps: ChangeDeps, { user: actor }: Actor, source: SyncSource): Promise<Sync> {
  if (!deps.config.sync.has(source)) throw new DomainError('INVALID', MESSAGES.syncOff)
  await deps.db
    .transaction(async (session) => {
      const filter = { _id: source, state: { $ne: 'running' } } as const
      await deps.db.syncs.updateOne(filter, toNewWalk(deps.clock()), { upsert: true, session })
      await recordStaffAction(deps, { action: 'sync-started', actor, target: toTarget(source) }, { session })
    })
    .catch((error: unknown) => {
      throw isDuplicateKey(error) ? new DomainError('CONFLICT', MESSAGES.syncRuns) : error
    })
  deps.sourceSyncs.wake(source)
  return await readSync(deps, source)
}

/** Stops the walk of a source after the page in work; the next walk goes on there. Nothing changes where none runs. */
export async function stopSync(deps: ChangeDeps, { user: actor }: Actor, source: SyncSource): Promise<Sync> {
  await deps.db.transaction(async (session) => {
    const end = { state: 'idle', finishedAt: deps.clock() } as const
    const message = `Stopped by ${actor.userName}`
    const filter = { _id: source, state: 'running' } as const
    const { matchedCount } = await deps.db.syncs.updateOne(filter, { $set: { ...end, message } }, { session })
    if (matchedCount === 0) return
    await recordStaffAction(deps, { action: 'sync-stopped', actor, target: toTarget(source) }, { session })
  })
  return await readSync(deps, source)
}
