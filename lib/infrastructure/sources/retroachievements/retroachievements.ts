import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { NO_FACTS, type SourceEntry, toSubject } from '../entries.ts'
import { entryName, name, number, numeric, text } from '../facts.ts'
import {
  createReader,
  createSwitchedOff,
  noSuchEntry,
  type PageOptions,
  type SourcePage,
  type SourceReader,
} from '../source-reader.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { EntryError } from '../transport/errors.ts'
import { parseAnswer, readEntry } from '../transport/parse-answer.ts'
import type { SourceAnswer } from '../transport/send-once.ts'

const RaGame = z.object({
  ID: numeric,
  Title: entryName,
  ConsoleID: numeric,
  ConsoleName: name,
  ImageIcon: text,
  ImageBoxArt: text,
  Developer: name,
  Released: text,
  ReleasedAtGranularity: text,
  NumAchievements: number,
})
type RaGame = z.infer<typeof RaGame>

/** Describes an answer about one game: an id without a game is answered with an empty list. */
const RaAnswer = z.union([z.looseObject({ ID: numeric.nullable() }), z.tuple([])])

const SITE_URL = 'https://retroachievements.org'
const IMAGES_URL = 'https://media.retroachievements.org'
/** The images that stand in for a missing icon or picture. */
const NO_IMAGE = /^\/Images\/00000[12]\.png$/

const imageUrl = (path: string | null | undefined): string | undefined =>
  path?.startsWith('/') && !NO_IMAGE.test(path) ? `${IMAGES_URL}${path}` : undefined

/** The length of a date by its granularity. The source sends a month or a year as its first day. */
const DIGITS_OF = new Map([
  ['year', 4],
  ['month', 7],
])

function toEntry(game: RaGame): SourceEntry<'ra'> {
  const digits = DIGITS_OF.get(game.ReleasedAtGranularity ?? '') ?? 10
  const named = { ...NO_FACTS, name: game.Title, platforms: [game.ConsoleID] }

  return {
    source: 'ra',
    id: String(game.ID),
    part: {
      gameId: game.ID,
      consoleId: game.ConsoleID,
      ...withoutEmpty({
        consoleName: game.ConsoleName,
        imageIcon: imageUrl(game.ImageIcon),
        numAchievements: game.NumAchievements,
      }),
    },
    game: named,
    characters: [],
    subject: toSubject(named, {
      released: readPartialDate(game.Released?.slice(0, digits))?.text ?? null,
      developers: distinctNames([game.Developer]),
      cover: imageUrl(game.ImageBoxArt) ?? null,
      url: `${SITE_URL}/game/${game.ID}`,
    }),
  }
}

/** Reads an entry in the form of the source. */
export const readRaEntry = (sent: unknown): SourceEntry<'ra'> | EntryError => readEntry('ra', RaGame, sent, toEntry)

/** The source has a limit that it does not publish. */
const LIMITS = { requests: 1, withinMs: 1_000, open: 1 }

const WALK_PAGE = 200
/** Rows that a page has in common with the page before, because games that leave a console's list move the others. */
const OVERLAP = 20

/** The statuses of an id without a game. */
const NO_ENTRY = [404, 422]

interface RetroAchievementsOptions extends TransportOptions {
  config: Pick<Config, 'ra' | 'publicUrl'>
}

/** Reads games of RetroAchievements. Its key is part of each address, so no address may be logged. */
export function createRetroAchievements(options: RetroAchievementsOptions): SourceReader<'ra'> {
  const { ra, publicUrl } = options.config
  if (ra === undefined) return createSwitchedOff('ra')

  const client = createSourceClient({ limits: LIMITS, ...options, source: 'ra', publicUrl })
  const addressOf = (name: string, parameters: Record<string, string | number>) =>
    `${ra.apiUrl}/${name}.php?${new URLSearchParams({ ...parameters, y: ra.apiKey })}`

  function readGame({ status, text }: SourceAnswer, id: string): SourceEntry<'ra'> | EntryError {
    if (NO_ENTRY.includes(status)) return noSuchEntry('ra')
    const answer = parseAnswer('ra', RaAnswer, text)
    if (!('ID' in answer) || answer.ID === null) return noSuchEntry('ra')
    if (String(answer.ID) !== id) return new EntryError('ra', 'malformed', 'the answer is that of another game')
    return readRaEntry(answer)
  }

  /** Reads the games of one console that have achievements, a part of its list at a time: `<console>/<offset>`. */
  async function readPage(cursor: string | null, { consoles, ...options }: PageOptions): Promise<SourcePage<'ra'>> {
    const [from = 0, offset = 0] = (cursor ?? '0').split('/').map(Number)
    const later = consoles.filter((id) => id >= from).sort((a, b) => a - b)
    const [current, next] = later
    if (current === undefined) return { entries: [], cursor: null, isLast: true }

    const start = current === from ? offset : 0
    const url = addressOf('API_GetGameList', { i: current, f: 1, h: 0, o: start, c: WALK_PAGE })
    const rows = await client.request({ url }, ({ text }) => parseAnswer('ra', z.array(z.unknown()), text), options)
    const entries = rows.map(readRaEntry)
    // An answer of another length than the page has the rest of the list, or the whole list.
    if (rows.length === WALK_PAGE)
      return { entries, cursor: `${current}/${start + rows.length - OVERLAP}`, isLast: false }
    return { entries, cursor: next === undefined ? null : `${next}/0`, isLast: next === undefined }
  }

  return createReader({
    name: 'ra',
    openForMs: client.openForMs,
    async readBatch([id = ''], options) {
      const game = { url: addressOf('API_GetGameExtended', { i: id }), answers: NO_ENTRY }
      return new Map([[id, await client.request(game, (answer) => readGame(answer, id), options)]])
    },
    readPage,
  })
}
