import { changeList, type RoyalChange, withAdded, withRemoved } from './change-list.ts'
import type { RoyalDeps } from './deps.ts'
import { findUnknownGames } from './find-unknown-games.ts'

interface Addition {
  userId: string
  /** 1 to 500 ids in lower case. */
  gameIds: readonly string[]
  position: 'start' | 'end'
}

type Needs = Pick<RoyalDeps, 'db' | 'recentlySeenGames'>

/**
 * Adds one game that was in the catalogue a while ago, and looks it up at the same time instead of before: the usual crown
 * waits for one round trip to the database, not two. When the game has left the catalogue meanwhile, it is taken out again
 * before anybody hears of it. A process killed in between leaves a listed game that has left the catalogue, as any may.
 */
async function addOptimistically(
  deps: Needs,
  { userId, id, position }: { userId: string; id: string; position: 'start' | 'end' },
): Promise<RoyalChange> {
  const [lookedUp, added] = await Promise.allSettled([
    findUnknownGames(deps, [id]),
    changeList(deps, { userId, next: withAdded([id], position), requested: [id] }),
  ])
  if (added.status === 'rejected') throw added.reason
  const hasLeft = lookedUp.status === 'fulfilled' && lookedUp.value.length > 0
  if (!hasLeft || !added.value.isChanged) return added.value

  const { royalGames } = await changeList(deps, { userId, next: withRemoved([id]) })
  return { royalGames, rejected: [id], isChanged: false }
}

/**
 * Adds games not listed yet, in the given order, as many as fit; unknown games are dropped.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export async function addRoyalGames(deps: Needs, { userId, gameIds, position }: Addition): Promise<RoyalChange> {
  const requested = [...new Set(gameIds)]
  const [id] = requested
  if (requested.length === 1 && id !== undefined && deps.recentlySeenGames.has(id)) {
    return addOptimistically(deps, { userId, id, position })
  }

  const unknown = new Set(await findUnknownGames(deps, requested))
  const known = requested.filter((each) => !unknown.has(each))

  return changeList(deps, { userId, next: withAdded(known, position), requested })
}
