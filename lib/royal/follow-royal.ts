import { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { type Change, isUnnumbered } from '../events/change.ts'
import { toEvents } from '../events/to-events.ts'
import type { RoyalDeps } from './royal-list.ts'

/**
 * Tells this instance's sockets of royal lists that others changed, as they are read then. A list that is newer than the
 * change is left to the change that made it.
 */
export async function followRoyal(
  deps: Pick<RoyalDeps, 'db' | 'emit' | 'instance'>,
  changes: readonly Change[],
): Promise<void> {
  const { db, emit } = deps
  for (const change of changes) {
    const { id, sender, values } = change
    if (!(id instanceof ObjectId) || !toEvents(change).includes('royal:changed')) continue
    const userId = id.toHexString()
    if (!emit.royal.hasSubscribers(userId)) continue
    const user = await db.users.findOne({ _id: id }, { projection: { royalGames: 1, rev: 1 }, maxTimeMS: MAX_TIME_MS })
    const { rev = 0, royalGames = [] } = user ?? {}
    const isAnyRev = isUnnumbered(change, deps)
    if (user === null || (rev !== values.rev && !isAnyRev)) continue
    const options = { rev, except: sender?.socketId, isRemote: true, isUnnumbered: isAnyRev }
    emit.royal.changed(userId, { royalGames: royalGames.map((each) => each.toHexString()) }, options)
  }
}
