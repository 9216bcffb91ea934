import type { Deps } from '../deps.ts'
import { changeList, type RoyalChange, withAdded } from './change-list.ts'
import { findUnknownGames } from './find-unknown-games.ts'

interface Addition {
  userId: string
  /** 1 to 500 ids in lower case. */
  gameIds: readonly string[]
  position: 'start' | 'end'
}

/**
 * Adds games not listed yet, in the given order, as many as fit; unknown games are dropped.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export async function addRoyalGames(
  deps: Pick<Deps, 'db'>,
  { userId, gameIds, position }: Addition,
): Promise<RoyalChange> {
  const requested = [...new Set(gameIds)]
  const unknown = new Set(await findUnknownGames(deps, requested))
  const known = requested.filter((id) => !unknown.has(id))

  return changeList(deps, { userId, next: withAdded(known, position), requested })
}
