import { findUnknownGames } from '../events/existing-games.ts'
import { changeList, type RoyalChange, withAdded } from './change-list.ts'
import type { RoyalDeps } from './deps.ts'

interface AddRoyalGamesInput {
  userId: string
  /** 1 to 500 ids in lower case. */
  gameIds: readonly string[]
  position: 'start' | 'end'
  excludeSocketId?: string | undefined
}

/**
 * Adds games not listed yet, in the given order, as many as fit; unknown games are dropped. Games that are known to exist
 * are not looked up.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export async function addRoyalGames(
  deps: RoyalDeps,
  { userId, gameIds, position, excludeSocketId }: AddRoyalGamesInput,
): Promise<RoyalChange> {
  const requested = [...new Set(gameIds)]
  const unknown = new Set(await findUnknownGames(deps, requested))
  const existing = requested.filter((each) => !unknown.has(each))

  return changeList(deps, { userId, next: withAdded(existing, position), requested, excludeSocketId })
}
