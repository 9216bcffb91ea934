import { Character, IdOrSlugParams } from '../../lib/contract/catalogue.ts'
import { findCharacter } from '../../lib/domain/catalogue/characters/find-character.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Read a character by its id or slug, with every field',
  auth: 'public',
  params: IdOrSlugParams,
  response: Character,
  errors: ['NOT_FOUND'],

  handle: ({ params, deps }) => findCharacter(deps, params),
})
