import { findUnknownGames } from '../events/existing-games.ts'
import { changeList, type RoyalChange, withReplaced } from './change-list.ts'
import type { RoyalDeps } from './deps.ts'

/**
 * Replaces the whole list by at most 500 ids, each at its first position. Unknown games are dropped, save those that
 * the list holds already: they left the catalogue, not the list.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export async function setRoyalGames(
  deps: RoyalDeps,
  {
    userId,
    gameIds,
    excludeSocketId,
  }: { userId: string; gameIds: readonly string[]; excludeSocketId?: string | undefined },
): Promise<RoyalChange> {
  const requested = [...new Set(gameIds)]
  const unknown = await findUnknownGames(deps, requested)

  return changeList(deps, { userId, next: withReplaced(requested, unknown), requested, excludeSocketId })
}
