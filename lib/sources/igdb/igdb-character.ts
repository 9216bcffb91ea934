import { z } from 'zod'
import { image, name, optional, references, text } from './expanded.ts'

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
  id: z.number(),
  name: z.string().trim().min(1),
  akas: optional(z.array(z.string())).transform((akas = []) => akas),
  description: text,
  country_name: text,
  character_gender: name,
  character_species: name,
  mug_shot: image,
  games: references,
})
export type IgdbCharacter = z.infer<typeof IgdbCharacter>
