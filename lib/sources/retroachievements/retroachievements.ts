import type { Config } from '../../config.ts'
import { createOneByOne, createSwitchedOff, noSuchEntry } from '../one-by-one.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { SourceError } from '../transport/errors.ts'
import { parseAnswer } from '../transport/parse-answer.ts'
import type { ThrottleLimits } from '../transport/throttle.ts'
import { RaAnswer } from './ra-game.ts'
import { toEntry } from './to-entry.ts'

/** There is a limit that is not published. */
const LIMITS: ThrottleLimits = { requests: 1, withinMs: 1_000, open: 1 }

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

      const { status, text } = await request({ url, answers: [422] })
      if (status === 422) throw noSuchEntry('ra')
      const game = parseAnswer('ra', RaAnswer, text)
      if (!('ID' in game)) throw noSuchEntry('ra')
      if (String(game.ID) !== id) throw new SourceError('ra', 'malformed', 'the answer is that of another game')
      return toEntry(game)
    },
  })
}
