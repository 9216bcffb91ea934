import { z } from 'zod'
import type { IgdbConfig } from '#lib/base/config'
import type { Logger } from '../../observability/log.ts'
import { numeric } from '../facts.ts'
import type { ReadOptions } from '../source-reader.ts'
import { createSourceClient, type SendRequest, type SourceClient, type TransportOptions } from '../transport/client.ts'
import { SourceError } from '../transport/errors.ts'
import { parseAnswer } from '../transport/parse-answer.ts'
import { realTiming, type Timing } from '../transport/timing.ts'

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
  let held: { token: string; renewAt: number } | undefined
  let flight: Promise<string> | undefined

  const body = new URLSearchParams({
    client_id: config.clientId,
    client_secret: config.clientSecret,
    grant_type: 'client_credentials',
  }).toString()

  async function fetchToken(): Promise<string> {
    const { access_token: token, expires_in: seconds } = await client.call(async (request) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      // The token endpoint answers 400 for an unknown client.
      const answer = await request({ method: 'POST', url: config.tokenUrl, headers, body, answers: [400] })
      if (answer.status === 400) throw new SourceError('igdb', 'refused', 'the source refused the credentials')
      return parseAnswer('igdb', Answer, answer.text)
    })
    const keptSeconds = Math.max(seconds - DAY_SECONDS, seconds * 0.9)
    held = { token, renewAt: timing.now() + keptSeconds * 1_000 }
    return token
  }

  /** Answers the token of the process, or a new one where that is `refused` or old. Callers share a fetch. @throws SourceError */
  return async (refused?: string): Promise<string> => {
    if (held !== undefined && held.token !== refused && timing.now() < held.renewAt) return held.token
    flight ??= fetchToken().finally(() => {
      flight = undefined
    })
    return flight
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
}

const LIMITS = { requests: 4, withinMs: 1_000, open: 8 }
const TOKEN_LIMITS = { requests: 1, withinMs: 100, open: 1 }

/** Answers about the query: an unknown endpoint, unknown fields, an endpoint that is not for everybody. */
const NOT_TAKEN = [400, 403, 404]

const Rows = z.array(z.unknown())

/** Queries IGDB with the token that the process shares; one that no longer counts is renewed once for a query. */
export function createIgdbApi({ config, publicUrl, log, ...transport }: IgdbApiOptions) {
  const client = createSourceClient({ limits: LIMITS, ...transport, source: 'igdb', publicUrl })
  const tokenClient = createSourceClient({ ...transport, source: 'igdb', publicUrl, limits: TOKEN_LIMITS })
  const getToken = createToken(config, tokenClient, transport.timing ?? realTiming)

  async function post(request: SendRequest, query: { endpoint: string; body: string }, refused?: string) {
    // No permit is held while waiting for it.
    let token = await getToken(refused)
    const answer = await request({
      method: 'POST',
      url: `${config.apiUrl}/${query.endpoint}`,
      headers: async () => {
        token = await getToken()
        return { 'client-id': config.clientId, authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
      },
      body: query.body,
      // All but 401 concern the query, not the caller.
      answers: [401, ...NOT_TAKEN],
    })
    return { ...answer, token }
  }

  return {
    /** Sends one query. Its rows are as they came. @throws SourceError */
    async query(endpoint: 'games' | 'characters', body: string, { isOptional = false, ...options }: QueryOptions) {
      return client.call(async (request) => {
        const first = await post(request, { endpoint, body })
        const { status, text } = first.status === 401 ? await post(request, { endpoint, body }, first.token) : first

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
