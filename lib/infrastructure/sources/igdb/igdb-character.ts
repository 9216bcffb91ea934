import { z } from 'zod'
import { entryName, fact, facts, name, seenName, words } from '../facts.ts'
import { Image, Named, Reference } from './expanded.ts'

export const CHARACTER_FIELDS = [
  'name',
  'akas',
  'description',
  'country_name',
  'character_gender.name',
  'character_species.name',
  'mug_shot.image_id',
  'games',
]

export const IgdbCharacter = z.object({
  name: entryName,
  akas: facts(seenName),
  description: words,
  country_name: name,
  character_gender: fact(Named),
  character_species: fact(Named),
  mug_shot: fact(Image),
  games: facts(Reference),
})
export type IgdbCharacter = z.infer<typeof IgdbCharacter>
