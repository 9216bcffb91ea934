import { changeList, type RoyalChange, withMoved } from './change-list.ts'
import type { RoyalDeps } from './deps.ts'

interface MoveRoyalGameInput {
  userId: string
  /** Ids in lower case; `before` null puts the game at the end. */
  gameId: string
  before: string | null
  excludeSocketId?: string | undefined
}

/**
 * Puts a listed game before another listed one, or at the end; a game that is not listed is rejected.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export async function moveRoyalGame(
  deps: RoyalDeps,
  { userId, gameId, before, excludeSocketId }: MoveRoyalGameInput,
): Promise<RoyalChange> {
  return changeList(deps, { userId, next: withMoved(gameId, before), requested: [gameId], excludeSocketId })
}
