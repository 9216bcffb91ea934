import { Sync, SyncSource } from '#lib/contract/sync'
import type { SyncDocument } from '#lib/infrastructure/db/collections/syncs'
import { toContract } from '#lib/infrastructure/db/to-contract'
import type { SyncDeps } from './deps.ts'
import { leaseOf, NO_COUNTS } from './run-walk.ts'

type ListDeps = Pick<SyncDeps, 'db' | 'clock' | 'config'>

/** Returns when the next walk of a source begins; null during a walk, and for a source that is off. */
export function findNextAt({ config }: Pick<SyncDeps, 'config'>, walk: SyncDocument): Date | null {
  if (!config.sync.has(walk._id) || walk.state === 'running' || walk.finishedAt === null) return null
  return new Date(walk.finishedAt.getTime() + config.syncEveryMs)
}

function toSync(deps: ListDeps, source: SyncSource, walk: SyncDocument | undefined, isHeld: boolean): Sync {
  const isOn = deps.config.sync.has(source)
  // A walk of a source that is off belongs to a command, which may have been ended.
  const isRunning = walk?.state === 'running' && (isOn || isHeld)
  // The next page that is read clears the message.
  const state = !isRunning ? 'idle' : walk.message === null ? 'running' : 'paused'
  return toContract(Sync, { ...NO_COUNTS, ...walk, source, isOn, state, nextAt: walk && findNextAt(deps, walk) })
}

/** Lists the sources that can be read by the service, each with its last walk. */
export async function listSyncs(deps: ListDeps): Promise<Sync[]> {
  const names = SyncSource.options
  const [walks, leases] = await Promise.all([
    deps.db.syncs.find({ _id: { $in: names } }).toArray(),
    deps.db.leases.find({ _id: { $in: names.map(leaseOf) }, until: { $gt: new Date() } }).toArray(),
  ])
  const held = new Set(leases.map(({ _id }) => _id))
  const find = (source: SyncSource) => walks.find(({ _id }) => _id === source)
  return names.map((source) => toSync(deps, source, find(source), held.has(leaseOf(source))))
}
