import { z } from 'zod'

export const VN_FIELDS = [
  'title,alttitle,titles{title,latin},aliases,released,platforms,image{url,sexual,violence}',
  'length_minutes,description,rating,votecount,developers{name}',
].join(',')

const list = <T extends z.ZodType>(row: T) => z.array(row).nullish()
/** An average from 0 to 2. */
const average = z.number().nullish()

/** The fields of a visual novel as they come; unknown ones may be null or absent. */
export const VisualNovel = z.object({
  id: z.string(),
  title: z.string().trim().min(1),
  alttitle: z.string().nullish(),
  titles: list(z.object({ title: z.string().nullish(), latin: z.string().nullish() })),
  aliases: list(z.string()),
  released: z.string().nullish(),
  platforms: list(z.string()),
  image: z.object({ url: z.string().nullish(), sexual: average, violence: average }).nullish(),
  length_minutes: z.number().nullish(),
  description: z.string().nullish(),
  rating: z.number().nullish(),
  votecount: z.number().nullish(),
  developers: list(z.object({ name: z.string().nullish() })),
})
export type VisualNovel = z.infer<typeof VisualNovel>
