import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutNullish } from '#lib/base/values/without-nullish'
import { NO_FACTS, type SourceEntry } from '../entries.ts'
import type { HltbGame } from './game-page.ts'

type Flag = HltbGame['comp_lvl_sp']
type Times<K extends string> = { [N in K | `${K}Count`]?: number }

/** A time in hours and how many people gave it, unless the source has none or says that it means nothing. */
function times<const K extends string>(
  key: K,
  isMeant: Flag,
  seconds: number | null | undefined,
  count: number | null | undefined,
): Times<K> {
  if (isMeant === 0 || isMeant === false || !seconds || seconds < 0) return {}
  const found = { [key]: Math.round(seconds / 36) / 100, ...withoutNullish({ [`${key}Count`]: count }) }
  // Computed names widen to string.
  return found as Times<K>
}

/** The page has a day, the search a year; 0 and `0000-00-00` are unknown. */
function readRelease(release: HltbGame['release_world']): { released: string | undefined; year: number | undefined } {
  const text = String(release ?? '')
  const year = readPartialDate(text.slice(0, 4))?.text

  return { released: readPartialDate(text)?.text ?? year, year: year === undefined ? undefined : Number(year) }
}

export function toEntry(game: HltbGame, { siteUrl, updatedAt }: { siteUrl: string; updatedAt: Date }) {
  const id = String(game.game_id)
  const { released, year: releaseYear } = readRelease(game.release_world)
  const platforms = distinctNames((game.profile_platform ?? '').split(','))
  const image = game.game_image?.trim()
  const imageUrl = image ? `${siteUrl}/games/${encodeURIComponent(image)}` : undefined
  const mainStory = times('mainStory', game.comp_lvl_sp, game.comp_main, game.comp_main_count)

  return {
    source: 'hltb',
    id,
    part: {
      hltbId: id,
      ...mainStory,
      ...times('mainExtra', game.comp_lvl_sp, game.comp_plus, game.comp_plus_count),
      ...times('completionist', game.comp_lvl_sp, game.comp_100, game.comp_100_count),
      ...times('allStyles', game.comp_lvl_sp, game.comp_all, game.comp_all_count),
      ...times('coop', game.comp_lvl_co, game.invested_co, game.invested_co_count),
      ...times('multiplayer', game.comp_lvl_mp, game.invested_mp, game.invested_mp_count),
      ...withoutNullish({
        reviewScore: game.review_score || undefined,
        imageUrl,
        platforms: platforms.length > 0 ? platforms : undefined,
        releaseYear,
      }),
      updatedAt,
    },
    game: { ...NO_FACTS, name: game.game_name },
    characters: [],
    subject: {
      name: game.game_name,
      originalName: null,
      alternativeNames: distinctNames((game.game_alias ?? '').split(','), [game.game_name]),
      description: game.profile_summary?.trim() || null,
      released: released ?? null,
      developers: distinctNames([game.profile_dev]),
      lengthMinutes: mainStory.mainStory === undefined ? null : Math.round((game.comp_main ?? 0) / 60),
      cover: imageUrl ?? null,
      isExplicitCover: false,
      url: `${siteUrl}/game/${id}`,
    },
  } satisfies SourceEntry<'hltb'>
}
