import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { createOneByOne, createSwitchedOff, noSuchEntry } from '../one-by-one.ts'
import type { PageOptions, SourcePage, SourceReader } from '../source-reader.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { EntryError } from '../transport/errors.ts'
import { parseAnswer, parseEntry, readEntry } from '../transport/parse-answer.ts'
import type { ThrottleLimits } from '../transport/throttle.ts'
import { RaAnswer, RaGame } from './ra-game.ts'
import { toEntry } from './to-entry.ts'

/** There is a limit that is not published. */
const LIMITS: ThrottleLimits = { requests: 1, withinMs: 1_000, open: 1 }

const WALK_PAGE = 200
/** Rows that a page has in common with the page before, because games that leave a console's list move the others. */
const OVERLAP = 20

/** Statuses for an id without a game. */
const NO_ENTRY = [404, 422]

interface RetroAchievementsOptions extends TransportOptions {
  config: Pick<Config, 'ra' | 'publicUrl'>
  limits?: ThrottleLimits
}

/** Reads games of RetroAchievements. Its key is part of each address, so no address may be logged. */
export function createRetroAchievements({
  config,
  limits = LIMITS,
  ...transport
}: RetroAchievementsOptions): SourceReader<'ra'> {
  const { ra, publicUrl } = config
  if (ra === undefined) return createSwitchedOff('ra')

  const client = createSourceClient({ ...transport, source: 'ra', publicUrl, limits })
  const addressOf = (name: string, parameters: Record<string, string | number>) =>
    `${ra.apiUrl}/${name}.php?${new URLSearchParams({ ...parameters, y: ra.apiKey })}`

  const reader = createOneByOne({
    name: 'ra',
    client,
    async readEntry(request, id) {
      const url = addressOf('API_GetGameExtended', { i: id })
      const { status, text } = await request({ url, answers: NO_ENTRY })
      if (NO_ENTRY.includes(status)) throw noSuchEntry('ra')
      const answer = parseAnswer('ra', RaAnswer, text)
      if (!('ID' in answer) || answer.ID === null) throw noSuchEntry('ra')
      if (String(answer.ID) !== id) throw new EntryError('ra', 'malformed', 'the answer is that of another game')
      return toEntry(parseEntry('ra', RaGame, answer))
    },
  })

  /** Reads the games of one console that have achievements, a part of its list at a time: `<console>/<offset>`. */
  async function readPage(cursor: string | null, { consoles, ...options }: PageOptions): Promise<SourcePage<'ra'>> {
    const [from = 0, offset = 0] = (cursor ?? '0').split('/').map(Number)
    const later = consoles.filter((id) => id >= from).sort((a, b) => a - b)
    const [current, next] = later
    if (current === undefined) return { entries: [], cursor: null, isLast: true }

    const start = current === from ? offset : 0
    const url = addressOf('API_GetGameList', { i: current, f: 1, h: 0, o: start, c: WALK_PAGE })
    const rows = await client.call(
      async (request) => parseAnswer('ra', z.array(z.unknown()), (await request({ url })).text),
      options,
    )
    const games = rows.map((row) => readEntry('ra', RaGame, row))
    const entries = games.map((game) => (game instanceof EntryError ? game : toEntry(game)))
    if (rows.length >= WALK_PAGE)
      return { entries, cursor: `${current}/${start + rows.length - OVERLAP}`, isLast: false }
    return { entries, cursor: next === undefined ? null : `${next}/0`, isLast: next === undefined }
  }
  return { ...reader, readPage }
}
