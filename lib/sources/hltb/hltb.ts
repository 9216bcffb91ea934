import type { Config } from '../../config.ts'
import { createOneByOne, createSwitchedOff, noSuchEntry } from '../one-by-one.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { SourceError } from '../transport/errors.ts'
import { parseValue } from '../transport/parse-answer.ts'
import type { ThrottleLimits } from '../transport/throttle.ts'
import { findPageGames, HltbGame } from './game-page.ts'
import { toEntry } from './to-entry.ts'

/** The site publishes no limits. */
const LIMITS: ThrottleLimits = { requests: 1, withinMs: 2_000, open: 1 }

interface HltbOptions extends TransportOptions {
  config: Pick<Config, 'hltb' | 'publicUrl'>
  clock?: () => Date
  limits?: ThrottleLimits
}

function readPage(html: string, id: string): HltbGame {
  const games = findPageGames(html)
  if (games === undefined) throw new SourceError('hltb', 'malformed', 'the page has no data of a game')
  if (games.length === 0) throw noSuchEntry('hltb')

  const game = parseValue('hltb', HltbGame, games[0])
  if (String(game.game_id) !== id) throw new SourceError('hltb', 'malformed', 'the page is that of another game')
  return game
}

export function createHltb({ config, clock = () => new Date(), limits = LIMITS, ...transport }: HltbOptions) {
  const { hltb, publicUrl } = config
  if (hltb === undefined) return createSwitchedOff('hltb')
  const siteUrl = hltb.url

  return createOneByOne({
    name: 'hltb',
    client: createSourceClient({ ...transport, source: 'hltb', publicUrl, limits }),
    async readEntry(request, id) {
      const { status, text } = await request({
        url: `${siteUrl}/game/${id}`,
        headers: { accept: 'text/html' },
        answers: [403, 404],
      })
      if (status === 404) throw noSuchEntry('hltb')
      if (status === 403) throw new SourceError('hltb', 'refused', 'the source refuses requests from this service')
      return toEntry(readPage(text, id), { siteUrl, updatedAt: clock() })
    },
  })
}
