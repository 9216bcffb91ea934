import { findCharacter } from '../../lib/characters/find-character.ts'
import { Character, IdOrSlugParams } from '../../lib/contract/catalogue.ts'
import { defineFunction } from '../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Read a whole character by its id or its slug',
  auth: 'public',
  params: IdOrSlugParams,
  response: Character,
  errors: ['NOT_FOUND'],

  handle: ({ params, deps }) => findCharacter(deps, params),
})
