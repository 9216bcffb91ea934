import { z } from 'zod'
import type { IgdbConfig } from '#lib/base/config'
import { IGDB_TOKEN_DOUBT_MS } from '../../concurrency/timeouts.ts'
import type { Logger } from '../../observability/log.ts'
import { numeric } from '../facts.ts'
import type { ReadOptions } from '../source-reader.ts'
import { createSourceClient, type SendRequest, type SourceClient, type TransportOptions } from '../transport/client.ts'
import { SourceError } from '../transport/errors.ts'
import { parseAnswer } from '../transport/parse-answer.ts'
import type { ThrottleLimits } from '../transport/throttle.ts'
import { realTiming, type Timing } from '../transport/timing.ts'

interface Bearer {
  token: string
}

const DAY_SECONDS = 86_400
/** The lifetime of a token when the answer names none. */
const LIFE_SECONDS = 3_600

const Answer = z.object({
  access_token: z.string().min(1),
  expires_in: numeric.pipe(z.number().positive()).default(LIFE_SECONDS),
})

/** Asks for tokens by client credentials. There are few for an application, and one too many ends the oldest. */
function createToken(
  config: Pick<IgdbConfig, 'clientId' | 'clientSecret' | 'tokenUrl'>,
  client: SourceClient,
  timing: Timing,
) {
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
        // The token endpoint answers 400 for an unknown client.
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
    /**
     * Answers the token of the process, or one fetched after `refused` when an answer said that this no longer counts. Callers
     * at the same time share a fetch. @throws SourceError
     */
    async get(refused?: Bearer): Promise<Bearer> {
      const now = timing.now()
      const isRefused = held?.bearer === refused && now >= (held?.keptUntil ?? 0)
      if (held !== undefined && !isRefused && now < held.renewAt) return held.bearer
      flight ??= fetchToken(refused === undefined ? 0 : IGDB_TOKEN_DOUBT_MS).finally(() => {
        flight = undefined
      })
      return flight
    },
    /** Called when an answer showed that a token counts. */
    accept(bearer: Bearer): void {
      if (held?.bearer === bearer) held.keptUntil = 0
    },
  }
}

interface QueryOptions extends ReadOptions {
  /** True when there are no rows, which is logged, where the source does not take such a query. */
  isOptional?: boolean
}

export type IgdbApi = ReturnType<typeof createIgdbApi>

export interface IgdbApiOptions extends TransportOptions {
  config: IgdbConfig
  publicUrl: string
  log?: Pick<Logger, 'warn'>
  limits?: ThrottleLimits
}

const LIMITS: ThrottleLimits = { requests: 4, withinMs: 1_000, open: 8 }
const TOKEN_LIMITS: ThrottleLimits = { requests: 1, withinMs: 100, open: 1 }

/** Answers about the query: an unknown endpoint, unknown fields, an endpoint that is not for everybody. */
const NOT_TAKEN = [400, 403, 404]

const Rows = z.array(z.unknown())

/** Queries IGDB with the token that the process shares; one that no longer counts is renewed once for a query. */
export function createIgdbApi({ config, publicUrl, log, limits = LIMITS, ...transport }: IgdbApiOptions) {
  const client = createSourceClient({ ...transport, source: 'igdb', publicUrl, limits })
  const tokenClient = createSourceClient({ ...transport, source: 'igdb', publicUrl, limits: TOKEN_LIMITS })
  const token = createToken(config, tokenClient, transport.timing ?? realTiming)

  async function post(request: SendRequest, query: { endpoint: string; body: string }, refused?: Bearer) {
    // No permit is held while waiting for it.
    let bearer = await token.get(refused)
    const answer = await request({
      method: 'POST',
      url: `${config.apiUrl}/${query.endpoint}`,
      headers: async () => {
        bearer = await token.get()
        return {
          'client-id': config.clientId,
          authorization: `Bearer ${bearer.token}`,
          'content-type': 'text/plain',
        }
      },
      body: query.body,
      // All but 401 concern the query, not the caller.
      answers: [401, ...NOT_TAKEN],
    })
    if (answer.status !== 401) token.accept(bearer)
    return { ...answer, bearer }
  }

  return {
    /** Sends one query. Its rows are as they came. @throws SourceError */
    async query(endpoint: 'games' | 'characters', body: string, { isOptional = false, ...options }: QueryOptions) {
      return client.call(async (request) => {
        const first = await post(request, { endpoint, body })
        const { status, text } = first.status === 401 ? await post(request, { endpoint, body }, first.bearer) : first

        if (status === 401) throw new SourceError('igdb', 'refused', 'the source refused the credentials')
        if (!NOT_TAKEN.includes(status)) return parseAnswer('igdb', Rows, text)
        if (!isOptional) throw new SourceError('igdb', 'http-error', `the source answered with status ${status}`)
        log?.warn({ endpoint, status }, 'IGDB does not take a query')
        return []
      }, options)
    },
    openForMs: () => Math.max(client.openForMs(), tokenClient.openForMs()),
  }
}
