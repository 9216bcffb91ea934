import { z } from 'zod'
import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutNullish } from '#lib/base/values/without-nullish'
import { NO_FACTS, type SourceEntry } from '../entries.ts'
import { entryName, fact, facts, name, number, numeric, seenName, text, words } from '../facts.ts'
import { removeBbcode } from './remove-bbcode.ts'

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

/** Averages from 0 to 2; above this the site itself calls an image explicit. */
const EXPLICIT_ABOVE = 1.3

export function toEntry(novel: VisualNovel, syncedAt: Date): SourceEntry<'vndb'> {
  const { image } = novel
  const isExplicit = Math.max(image?.sexual ?? 0, image?.violence ?? 0) > EXPLICIT_ABOVE
  const cover = image?.url || undefined
  const titles = novel.titles.flatMap(({ title, latin }) => [title, latin])
  const names = distinctNames([novel.alttitle, ...titles, ...novel.aliases], [novel.title])
  const summary = removeBbcode(novel.description ?? '') || undefined
  const released = readPartialDate(novel.released)
  const developers = distinctNames(novel.developers.map(({ name }) => name))
  const lengthMinutes = novel.length_minutes

  return {
    source: 'vndb',
    id: novel.id,
    part: {
      vnId: novel.id,
      ...withoutNullish({ rating: novel.rating, votecount: novel.votecount, lengthMinutes }),
      syncedAt,
    },
    game: {
      ...NO_FACTS,
      name: novel.title,
      fields: withoutNullish({
        alternative_names: names.length > 0 ? names : undefined,
        summary,
        first_release: released?.seconds,
        companies: developers.length > 0 ? developers.map((name) => ({ name, developer: true as const })) : undefined,
      }),
      platforms: novel.platforms,
      images: withoutNullish({ cover: isExplicit ? undefined : cover }),
    },
    characters: [],
    subject: {
      name: novel.title,
      originalName: novel.alttitle?.trim() || null,
      alternativeNames: names,
      description: summary ?? null,
      released: released?.text ?? null,
      developers,
      lengthMinutes: lengthMinutes ?? null,
      cover: cover ?? null,
      isExplicitCover: isExplicit,
      url: `https://vndb.org/${novel.id}`,
    },
  }
}
