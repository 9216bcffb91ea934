import { z } from 'zod'
import { entryName, fact, name, number, numeric, text, words } from '../facts.ts'

/** 0 says that the times of this kind mean nothing. */
const flag = fact(z.union([numeric, z.boolean()]))

export const HltbGame = z.object({
  game_id: numeric,
  game_name: entryName,
  game_alias: name,
  game_image: text,
  comp_lvl_sp: flag,
  comp_lvl_co: flag,
  comp_lvl_mp: flag,
  comp_main: number,
  comp_main_count: number,
  comp_plus: number,
  comp_plus_count: number,
  comp_100: number,
  comp_100_count: number,
  comp_all: number,
  comp_all_count: number,
  invested_co: number,
  invested_co_count: number,
  invested_mp: number,
  invested_mp_count: number,
  review_score: number,
  profile_platform: name,
  profile_dev: name,
  profile_summary: words,
  release_world: fact(z.union([z.string(), z.number()])),
})
export type HltbGame = z.infer<typeof HltbGame>

export const HltbPage = z.object({
  props: z.object({ pageProps: z.object({ game: z.object({ data: z.object({ game: z.array(z.unknown()) }) }) }) }),
})

const SCRIPT_ID = /\bid\s{0,9}=\s{0,9}(["']?)__NEXT_DATA__\1[\s>]/i
const SCRIPT_END = /<\/script/i

/** The text of the data within a page; undefined when the page has none. */
export function findPageData(html: string): string | undefined {
  const tail = html.slice(SCRIPT_ID.exec(html)?.index ?? html.length)
  const start = tail.indexOf('>') + 1
  const length = tail.slice(start).search(SCRIPT_END)
  return start === 0 || length < 0 ? undefined : tail.slice(start, start + length)
}
