import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutNullish } from '#lib/base/values/without-nullish'
import { NO_FACTS, type SourceEntry } from '../entries.ts'
import { removeBbcode } from './remove-bbcode.ts'
import type { VisualNovel } from './visual-novel.ts'

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
