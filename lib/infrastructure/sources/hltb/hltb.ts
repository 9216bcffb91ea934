import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { NO_FACTS, type SourceEntry, toSubject } from '../entries.ts'
import { entryName, fact, name, number, numeric, repeatSchema, text, words } from '../facts.ts'
import { createReader, createSwitchedOff, noSuchEntry } from '../source-reader.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { EntryError, SourceError } from '../transport/errors.ts'
import { parseAnswer, readEntry } from '../transport/parse-answer.ts'
import type { SourceAnswer } from '../transport/send-once.ts'

/** Each time: our name, the name at the source, and the flag by which the source says that the time counts. */
const TIMES = [
  ['mainStory', 'comp_main', 'comp_lvl_sp'],
  ['mainExtra', 'comp_plus', 'comp_lvl_sp'],
  ['completionist', 'comp_100', 'comp_lvl_sp'],
  ['allStyles', 'comp_all', 'comp_lvl_sp'],
  ['coop', 'invested_co', 'comp_lvl_co'],
  ['multiplayer', 'invested_mp', 'comp_lvl_mp'],
] as const

const timeFields = TIMES.flatMap(([, time]) => [time, `${time}_count`] as const)
const flagFields = TIMES.map(([, , flag]) => flag)

const HltbGame = z.object({
  game_id: numeric,
  game_name: entryName,
  game_alias: name,
  game_image: text,
  ...repeatSchema(timeFields, number),
  ...repeatSchema(flagFields, fact(z.union([numeric, z.boolean()]))),
  review_score: number,
  profile_platform: name,
  profile_dev: name,
  profile_summary: words,
  release_world: fact(z.union([z.string(), z.number()])),
})
type HltbGame = z.infer<typeof HltbGame>

const HltbPage = z.object({
  props: z.object({ pageProps: z.object({ game: z.object({ data: z.object({ game: z.array(z.unknown()) }) }) }) }),
})

const SCRIPT_ID = /\bid\s{0,9}=\s{0,9}(["']?)__NEXT_DATA__\1[\s>]/i
const SCRIPT_END = /<\/script/i

/** Finds the text of the data in a page; undefined when the page has none. */
function findPageData(html: string): string | undefined {
  const tail = html.slice(SCRIPT_ID.exec(html)?.index ?? html.length)
  const start = tail.indexOf('>') + 1
  const length = tail.slice(start).search(SCRIPT_END)
  return start === 0 || length < 0 ? undefined : tail.slice(start, start + length)
}

/** Reads the times in hours and the number of people for each, without absent times and those whose flag is 0. */
function toTimes(game: HltbGame) {
  const times = TIMES.flatMap(([key, time, flag]) => {
    const seconds = game[time] ?? 0
    if (game[flag] === 0 || game[flag] === false || seconds <= 0) return []
    return [[key, Math.round(seconds / 36) / 100] as const, [`${key}Count`, game[`${time}_count`]] as const]
  })
  return withoutEmpty(Object.fromEntries(times))
}

/** Reads a day or a year. 0 and `0000-00-00` are unknown. */
function readRelease(release: HltbGame['release_world']): { released: string | undefined; year: number | undefined } {
  const text = String(release ?? '')
  const year = readPartialDate(text.slice(0, 4))?.text

  return { released: readPartialDate(text)?.text ?? year, year: year === undefined ? undefined : Number(year) }
}

interface Reading {
  siteUrl: string
  updatedAt: Date
}

function toEntry(game: HltbGame, { siteUrl, updatedAt }: Reading) {
  const id = String(game.game_id)
  const { released, year: releaseYear } = readRelease(game.release_world)
  const platforms = distinctNames((game.profile_platform ?? '').split(','))
  const image = game.game_image?.trim()
  const imageUrl = image ? `${siteUrl}/games/${encodeURIComponent(image)}` : undefined
  const times = toTimes(game)
  const named = { ...NO_FACTS, name: game.game_name }

  return {
    source: 'hltb',
    id,
    part: {
      hltbId: id,
      ...times,
      ...withoutEmpty({ reviewScore: game.review_score || undefined, imageUrl, platforms, releaseYear }),
      updatedAt,
    },
    game: named,
    characters: [],
    subject: toSubject(named, {
      alternativeNames: distinctNames((game.game_alias ?? '').split(','), [game.game_name]),
      description: game.profile_summary?.trim() || null,
      released: released ?? null,
      developers: distinctNames([game.profile_dev]),
      lengthMinutes: times.mainStory === undefined ? null : Math.round((game.comp_main ?? 0) / 60),
      cover: imageUrl ?? null,
      url: `${siteUrl}/game/${id}`,
    }),
  } satisfies SourceEntry<'hltb'>
}

/** Reads an entry in the form of the source. */
export const readHltbEntry = (
  sent: unknown,
  reading: Reading = { siteUrl: 'https://howlongtobeat.com', updatedAt: new Date() },
) => readEntry('hltb', HltbGame, sent, (game) => toEntry(game, reading))

/** The statuses of a game that moved to another page, or is gone. */
const MOVED = [301, 302, 303, 307, 308]
const GONE = [404, 410]

/** The site publishes no limits. */
const LIMITS = { requests: 1, withinMs: 2_000, open: 1 }

interface HltbOptions extends TransportOptions {
  config: Pick<Config, 'hltb' | 'publicUrl'>
  clock?: () => Date
}

function readPage(html: string, reading: Reading): SourceEntry<'hltb'> | EntryError {
  const data = findPageData(html)
  if (data === undefined) throw new SourceError('hltb', 'malformed', 'the page has no data')
  const page = HltbPage.safeParse(parseAnswer('hltb', z.unknown(), data)).data
  if (page === undefined) return new EntryError('hltb', 'malformed', 'the page has no data of a game')
  const [first] = page.props.pageProps.game.data.game
  return first === undefined ? noSuchEntry('hltb') : readHltbEntry(first, reading)
}

export function createHltb({ config, clock = () => new Date(), ...transport }: HltbOptions) {
  const { hltb, publicUrl } = config
  if (hltb === undefined) return createSwitchedOff('hltb')
  const siteUrl = hltb.url

  const client = createSourceClient({ limits: LIMITS, ...transport, source: 'hltb', publicUrl })

  function readGame({ status, text }: SourceAnswer, id: string): SourceEntry<'hltb'> | EntryError {
    if (GONE.includes(status)) return noSuchEntry('hltb')
    if (MOVED.includes(status)) return new EntryError('hltb', 'not-found', 'the entry has moved to another page')
    if (status === 403) throw new SourceError('hltb', 'refused', 'the source refuses requests from this service')
    const entry = readPage(text, { siteUrl, updatedAt: clock() })
    const isOther = 'id' in entry && entry.id !== id
    return isOther ? new EntryError('hltb', 'malformed', 'the page is that of another game') : entry
  }

  return createReader({
    name: 'hltb',
    openForMs: client.openForMs,
    async readBatch([id = ''], options) {
      const page = { url: `${siteUrl}/game/${id}`, headers: { accept: 'text/html' }, answers: [403, ...MOVED, ...GONE] }
      return new Map([[id, await client.request(page, (answer) => readGame(answer, id), options)]])
    },
  })
}
