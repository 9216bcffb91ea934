import { changeList, type RoyalChange, withRemoved } from './change-list.ts'
import type { RoyalDeps } from './deps.ts'

/**
 * Removes games; ids that are not listed are ignored, and nothing is ever rejected.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export async function removeRoyalGames(
  deps: RoyalDeps,
  {
    userId,
    gameIds,
    excludeSocketId,
  }: { userId: string; gameIds: readonly string[]; excludeSocketId?: string | undefined },
): Promise<RoyalChange> {
  return changeList(deps, { userId, next: withRemoved(gameIds), excludeSocketId })
}
