import { z } from 'zod'
import { entryName, fact, facts, name, number, numeric, seenName, text, words } from '../facts.ts'

export const VN_FIELDS = [
  'title,alttitle,titles{title,latin},aliases,released,platforms,image{url,sexual,violence}',
  'length_minutes,description,rating,votecount,developers{name}',
].join(',')

/** An average from 0 to 2, which may be unknown; an image whose average cannot be read is left out. */
const average = numeric.nullish()

/** The fields of a visual novel as they come; unknown ones may be null or absent. */
export const VisualNovel = z.object({
  id: z.string(),
  title: entryName,
  alttitle: name,
  titles: facts(z.object({ title: name, latin: name })),
  aliases: facts(seenName),
  released: text,
  platforms: facts(z.string()),
  image: fact(z.object({ url: text, sexual: average, violence: average })),
  length_minutes: number,
  description: words,
  rating: number,
  votecount: number,
  developers: facts(z.object({ name })),
})
export type VisualNovel = z.infer<typeof VisualNovel>
