import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { createOneByOne, createSwitchedOff, noSuchEntry } from '../one-by-one.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { EntryError, SourceError } from '../transport/errors.ts'
import { parseAnswer, parseEntry } from '../transport/parse-answer.ts'
import type { ThrottleLimits } from '../transport/throttle.ts'
import { findPageData, HltbGame, HltbPage, toEntry } from './to-entry.ts'

/** Answers about the game of a page: it moved to another page, or is gone. */
const MOVED = [301, 302, 303, 307, 308]
const GONE = [404, 410]

/** The site publishes no limits. */
const LIMITS: ThrottleLimits = { requests: 1, withinMs: 2_000, open: 1 }

interface HltbOptions extends TransportOptions {
  config: Pick<Config, 'hltb' | 'publicUrl'>
  clock?: () => Date
  limits?: ThrottleLimits
}

function readPage(html: string, id: string): HltbGame {
  const data = findPageData(html)
  if (data === undefined) throw new SourceError('hltb', 'malformed', 'the page has no data')
  const page = HltbPage.safeParse(parseAnswer('hltb', z.unknown(), data)).data
  if (page === undefined) throw new EntryError('hltb', 'malformed', 'the page has no data of a game')
  const [first] = page.props.pageProps.game.data.game
  if (first === undefined) throw noSuchEntry('hltb')

  const game = parseEntry('hltb', HltbGame, first)
  if (String(game.game_id) !== id) throw new EntryError('hltb', 'malformed', 'the page is that of another game')
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
        answers: [403, ...MOVED, ...GONE],
      })
      if (GONE.includes(status)) throw noSuchEntry('hltb')
      if (MOVED.includes(status)) throw new EntryError('hltb', 'not-found', 'the entry has moved to another page')
      if (status === 403) throw new SourceError('hltb', 'refused', 'the source refuses requests from this service')
      return toEntry(readPage(text, id), { siteUrl, updatedAt: clock() })
    },
  })
}
