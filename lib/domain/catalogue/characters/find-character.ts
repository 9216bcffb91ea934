import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { byIdOrSlug } from '../../names/by-id-or-slug.ts'
import type { CatalogueDeps } from '../deps.ts'
import { toCharacter } from './to-wire.ts'

/** Reads a whole character by its id or its slug. @throws NOT_FOUND */
export async function findCharacter(deps: Pick<CatalogueDeps, 'db' | 'storage'>, { idOrSlug }: { idOrSlug: string }) {
  const character = await deps.db.characters.findOne(byIdOrSlug(idOrSlug))
  if (character === null) throw new DomainError('NOT_FOUND', MESSAGES.characterNotFound)
  return toCharacter(deps, character)
}
