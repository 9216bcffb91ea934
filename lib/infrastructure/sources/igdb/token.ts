import { z } from 'zod'
import type { IgdbConfig } from '#lib/base/config'
import { IGDB_TOKEN_DOUBT_MS } from '../../concurrency/timeouts.ts'
import { numeric } from '../facts.ts'
import type { SourceClient } from '../transport/client.ts'
import { SourceError } from '../transport/errors.ts'
import { parseAnswer } from '../transport/parse-answer.ts'
import type { Timing } from '../transport/timing.ts'

export interface Bearer {
  token: string
}

export interface Token {
  /**
   * The token of the whole process; one fetched after `refused` when an answer told that this no longer counts. However
   * many ask, it is fetched once at a time.
   * @throws SourceError
   */
  get(refused?: Bearer): Promise<Bearer>
  /** Tells that an answer showed that a token counts. */
  accept(bearer: Bearer): void
}

interface TokenOptions {
  config: Pick<IgdbConfig, 'clientId' | 'clientSecret' | 'tokenUrl'>
  client: SourceClient
  timing: Timing
}

const DAY_SECONDS = 86_400
/** Where the answer does not tell. */
const LIFE_SECONDS = 3_600

const Answer = z.object({
  access_token: z.string().min(1),
  expires_in: numeric.pipe(z.number().positive()).default(LIFE_SECONDS),
})

/** Asks for tokens by client credentials. There are few for an application, and one too many ends the oldest. */
export function createToken({ config, client, timing }: TokenOptions): Token {
  let held: { bearer: Bearer; renewAt: number; keptUntil: number } | undefined
  let flight: Promise<Bearer> | undefined

  const body = new URLSearchParams({
    client_id: config.clientId,
    client_secret: config.clientSecret,
    grant_type: 'client_credentials',
  }).toString()

  async function fetchToken(doubtMs: number): Promise<Bearer> {
    const answer = await client.call(async (request) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const { status, text } = await request({
        method: 'POST',
        url: config.tokenUrl,
        headers,
        body,
        // The last has never heard of the client.
        answers: [400],
      })
      if (status === 400) throw new SourceError('igdb', 'refused', 'the source refused the credentials')
      return parseAnswer('igdb', Answer, text)
    })
    const { access_token: token, expires_in: seconds } = answer
    const keptSeconds = Math.max(seconds - DAY_SECONDS, seconds * 0.9)
    const now = timing.now()
    held = { bearer: { token }, renewAt: now + keptSeconds * 1_000, keptUntil: now + doubtMs }
    return held.bearer
  }

  return {
    async get(refused) {
      const now = timing.now()
      const isRefused = held?.bearer === refused && now >= (held?.keptUntil ?? 0)
      if (held !== undefined && !isRefused && now < held.renewAt) return held.bearer
      flight ??= fetchToken(refused === undefined ? 0 : IGDB_TOKEN_DOUBT_MS).finally(() => {
        flight = undefined
      })
      return flight
    },
    accept(bearer) {
      if (held?.bearer === bearer) held.keptUntil = 0
    },
  }
}
