import { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { Change } from '../events/change.ts'
import { toEvents } from '../events/to-events.ts'
import type { RoyalDeps } from './deps.ts'

type FollowRoyalDeps = Pick<RoyalDeps, 'db' | 'emit' | 'instance'>

/**
 * Reads a royal list that others changed, and tells the sockets of its user. A list that is newer than the change is left to
 * the change that made it.
 */
async function followList({ db, emit, instance }: FollowRoyalDeps, change: Change): Promise<void> {
  const { id, type, sender, values } = change
  if (!(id instanceof ObjectId) || !toEvents(change).includes('royal:changed')) return
  const userId = id.toHexString()
  if (!emit.royal.hasSubscribers(userId)) return
  const user = await db.users.findOne({ _id: id }, { projection: { royalGames: 1, rev: 1 }, maxTimeMS: MAX_TIME_MS })
  if (user === null) return
  const { rev = 0, royalGames = [] } = user
  const isUnnumbered = values.rev === undefined || (type === 'replace' && sender?.instance !== instance)
  if (rev !== values.rev && !isUnnumbered) return
  const options = { rev, except: sender?.socketId, isRemote: true, isUnnumbered }
  emit.royal.changed(userId, { royalGames: royalGames.map((each) => each.toHexString()) }, options)
}

/** Tells this instance's sockets of royal lists that others changed. */
export async function followRoyal(deps: FollowRoyalDeps, changes: readonly Change[]): Promise<void> {
  for (const change of changes) await followList(deps, change)
}
