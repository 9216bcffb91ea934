import { changeList, type RoyalChange, withReplaced } from './change-list.ts'
import type { RoyalDeps } from './deps.ts'
import { findUnknownGames } from './find-unknown-games.ts'

/**
 * Replaces the whole list by at most 500 ids, each at its first position. Unknown games are dropped, save those that
 * the list holds already: they left the catalogue, not the list.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export async function setRoyalGames(
  deps: Pick<RoyalDeps, 'db' | 'recentlySeenGames'>,
  { userId, gameIds }: { userId: string; gameIds: readonly string[] },
): Promise<RoyalChange> {
  const requested = [...new Set(gameIds)]
  const unknown = await findUnknownGames(deps, requested)

  return changeList(deps, { userId, next: withReplaced(requested, unknown), requested })
}
