import { z } from 'zod'
import { numeric } from '../numeric.ts'

const seconds = numeric.nullish()
const count = numeric.nullish()
/** 0 says that the times of this kind mean nothing. */
const flag = z.union([numeric, z.boolean()]).nullish()

export const HltbGame = z.object({
  game_id: numeric,
  game_name: z.string().trim().min(1),
  game_alias: z.string().nullish(),
  game_image: z.string().nullish(),
  comp_lvl_sp: flag,
  comp_lvl_co: flag,
  comp_lvl_mp: flag,
  comp_main: seconds,
  comp_main_count: count,
  comp_plus: seconds,
  comp_plus_count: count,
  comp_100: seconds,
  comp_100_count: count,
  comp_all: seconds,
  comp_all_count: count,
  invested_co: seconds,
  invested_co_count: count,
  invested_mp: seconds,
  invested_mp_count: count,
  review_score: numeric.nullish(),
  profile_platform: z.string().nullish(),
  profile_dev: z.string().nullish(),
  profile_summary: z.string().nullish(),
  release_world: z.union([z.string(), z.number()]).nullish(),
})
export type HltbGame = z.infer<typeof HltbGame>

const PageData = z.object({
  props: z.object({ pageProps: z.object({ game: z.object({ data: z.object({ game: z.array(z.unknown()) }) }) }) }),
})

const SCRIPT_ID = /\bid\s{0,9}=\s{0,9}(["']?)__NEXT_DATA__\1[\s>]/i
const SCRIPT_END = /<\/script/i

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The games that the data within a page name, not checked yet; undefined when the page has no such data. */
export function findPageGames(html: string): unknown[] | undefined {
  const tail = html.slice(SCRIPT_ID.exec(html)?.index ?? html.length)
  const start = tail.indexOf('>') + 1
  const length = tail.slice(start).search(SCRIPT_END)
  if (start === 0 || length < 0) return undefined

  return PageData.safeParse(readJson(tail.slice(start, start + length))).data?.props.pageProps.game.data.game
}
