import { ObjectId } from 'mongodb'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { type Change, isUnnumbered } from '../../infrastructure/events/change.ts'
import { toEvents } from '../../infrastructure/events/to-events.ts'
import type { RoyalDeps } from './deps.ts'

type RoyalUser = Pick<UserDocument, '_id' | 'royalGames' | 'rev'>

/**
 * Sends the present royal lists to this instance's sockets after changes by others. A list that is newer than the change is
 * sent with its later change.
 */
export async function followRoyal(deps: Pick<RoyalDeps, 'db' | 'emit' | 'instance'>, changes: readonly Change[]) {
  const { db, emit } = deps
  const live = changes.flatMap((change) => {
    const { id } = change
    if (!(id instanceof ObjectId) || !toEvents(change).includes('royal:changed')) return []
    const userId = id.toHexString()
    return emit.royal.hasSubscribers(userId) ? [{ change, id, userId }] : []
  })
  const ids = live.map(({ id }) => id)
  const users = await mapByIds<RoyalUser>(db.users, ids, { royalGames: 1, rev: 1 })
  const prepared = live.flatMap(({ change, userId }) => {
    const user = users.get(userId)
    const { rev = 0, royalGames = [] } = user ?? {}
    const isAnyRev = isUnnumbered(change, deps)
    if (user === undefined || (rev !== change.values.rev && !isAnyRev)) return []
    const options = { rev, except: change.sender?.socketId, isRemote: true, isUnnumbered: isAnyRev }
    return [{ userId, event: { royalGames: royalGames.map((gameId) => gameId.toHexString()) }, options }]
  })
  for (const { userId, event, options } of prepared) emit.royal.changed(userId, event, options)
}
