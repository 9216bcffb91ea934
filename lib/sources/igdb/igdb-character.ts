import { z } from 'zod'
import { image, name, references } from './expanded.ts'

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

/** A row of `/characters` as CHARACTER_FIELDS ask for it. */
export const IgdbCharacter = z.object({
  id: z.number(),
  name: z.string().trim().min(1),
  akas: z.array(z.string()).default([]),
  description: z.string().optional(),
  country_name: z.string().optional(),
  character_gender: name,
  character_species: name,
  mug_shot: image,
  games: references,
})
export type IgdbCharacter = z.infer<typeof IgdbCharacter>
