import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { byIdOrSlug } from '../../names/by-id-or-slug.ts'
import type { CatalogueDeps } from '../deps.ts'
import { toGame } from './to-wire.ts'

/** Reads a whole game by its id or its slug. @throws NOT_FOUND */
export async function findGame(deps: Pick<CatalogueDeps, 'db' | 'storage'>, { idOrSlug }: { idOrSlug: string }) {
  const game = await deps.db.games.findOne(byIdOrSlug(idOrSlug))
  if (game === null) throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)
  return toGame(deps, game)
}
