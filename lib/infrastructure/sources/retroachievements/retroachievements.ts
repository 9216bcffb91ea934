import type { Config } from '#lib/base/config'
import { createOneByOne, createSwitchedOff, noSuchEntry } from '../one-by-one.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { EntryError } from '../transport/errors.ts'
import { parseAnswer, parseEntry } from '../transport/parse-answer.ts'
import type { ThrottleLimits } from '../transport/throttle.ts'
import { RaAnswer, RaGame } from './ra-game.ts'
import { toEntry } from './to-entry.ts'

/** There is a limit that is not published. */
const LIMITS: ThrottleLimits = { requests: 1, withinMs: 1_000, open: 1 }

/** Statuses for an id without a game. */
const NO_ENTRY = [404, 422]

interface RetroAchievementsOptions extends TransportOptions {
  config: Pick<Config, 'ra' | 'publicUrl'>
  limits?: ThrottleLimits
}

/** Reads games of RetroAchievements. Its key is part of each address, so no address may be logged. */
export function createRetroAchievements({ config, limits = LIMITS, ...transport }: RetroAchievementsOptions) {
  const { ra, publicUrl } = config
  if (ra === undefined) return createSwitchedOff('ra')

  return createOneByOne({
    name: 'ra',
    client: createSourceClient({ ...transport, source: 'ra', publicUrl, limits }),
    async readEntry(request, id) {
      const url = new URL(`${ra.apiUrl}/API_GetGameExtended.php`)
      url.searchParams.set('i', id)
      url.searchParams.set('y', ra.apiKey)

      const { status, text } = await request({ url, answers: NO_ENTRY })
      if (NO_ENTRY.includes(status)) throw noSuchEntry('ra')
      const answer = parseAnswer('ra', RaAnswer, text)
      if (!('ID' in answer) || answer.ID === null) throw noSuchEntry('ra')
      if (String(answer.ID) !== id) throw new EntryError('ra', 'malformed', 'the answer is that of another game')
      return toEntry(parseEntry('ra', RaGame, answer))
    },
  })
}
