import { z } from 'zod'
import type { IgdbConfig } from '#lib/base/config'
import { withTimeout } from '../../concurrency/with-timeout.ts'
import type { Logger } from '../../observability/log.ts'
import { numeric } from '../facts.ts'
import type { ReadOptions } from '../source-reader.ts'
import { createSourceClient, type SourceClient, type TransportOptions } from '../transport/client.ts'
import { SourceError } from '../transport/errors.ts'
import { parseAnswer } from '../transport/parse-answer.ts'
import type { SourceAnswer } from '../transport/send-once.ts'
import { realTiming, type Timing } from '../transport/timing.ts'

const refuseCredentials = () => new SourceError('igdb', 'refused', 'the source refused the credentials')

const DAY_SECONDS = 86_400
/** The lifetime of a token when the answer names none. */
const LIFE_SECONDS = 3_600

const Answer = z.object({
  access_token: z.string().min(1),
  expires_in: numeric.pipe(z.number().positive()).default(LIFE_SECONDS),
})

/** Fetches tokens by client credentials. An application has few tokens, and one too many ends the oldest. */
function createToken(
  config: Pick<IgdbConfig, 'clientId' | 'clientSecret' | 'tokenUrl'>,
  client: SourceClient,
  timing: Timing,
) {
  let held: { token: string; renewAt: number } | undefined
  let fetching: Promise<string> | undefined

  const body = new URLSearchParams({
    client_id: config.clientId,
    client_secret: config.clientSecret,
    grant_type: 'client_credentials',
  }).toString()

  async function fetchToken(): Promise<string> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    // The token endpoint answers 400 for an unknown client.
    const sent = { method: 'POST', url: config.tokenUrl, headers, body, answers: [400] } as const
    const { access_token: token, expires_in: seconds } = await client.request(sent, ({ status, text }) => {
      if (status === 400) throw refuseCredentials()
      return parseAnswer('igdb', Answer, text)
    })
    const keptSeconds = Math.max(seconds - DAY_SECONDS, seconds * 0.9)
    held = { token, renewAt: timing.now() + keptSeconds * 1_000 }
    return token
  }

  /** Returns the token of the process, or a new one when that is old or `refusedToken`. Callers share a fetch. @throws SourceError */
  return async (signal: AbortSignal | undefined, refusedToken?: string): Promise<string> => {
    // A refused token is never sent again, so nothing is sent while the circuit of the token endpoint is open.
    if (held?.token === refusedToken) held = undefined
    if (held !== undefined && timing.now() < held.renewAt) return held.token
    fetching ??= fetchToken().finally(() => {
      fetching = undefined
    })
    return await (signal === undefined ? fetching : withTimeout(signal, fetching))
  }
}

interface QueryOptions extends ReadOptions {
  /** True when a query that the source refuses has no rows. The refusal is logged. */
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

/** The statuses of a refused query: unknown fields, an endpoint that is not for everybody, an unknown endpoint. */
const QUERY_REFUSED = [400, 403, 404]

const Rows = z.array(z.unknown())

/** Queries IGDB with the token of the process. A query whose token is refused renews it once. */
export function createIgdbApi({ config, publicUrl, log, ...transport }: IgdbApiOptions) {
  const client = createSourceClient({ limits: LIMITS, ...transport, source: 'igdb', publicUrl })
  const tokenClient = createSourceClient({ ...transport, source: 'igdb', publicUrl, limits: TOKEN_LIMITS })
  const getToken = createToken(config, tokenClient, transport.timing ?? realTiming)

  return {
    /** Sends one query and returns its rows unread. @throws SourceError */
    async query(endpoint: 'games' | 'characters', body: string, { isOptional = false, ...options }: QueryOptions) {
      const url = `${config.apiUrl}/${endpoint}`
      // 401 concerns the token, the others the query.
      const answers = [401, ...QUERY_REFUSED]
      const post = (token: string, refusal: Error): Promise<unknown[]> => {
        const headers = { 'client-id': config.clientId, authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
        const read = ({ status, text }: SourceAnswer) => {
          if (status === 401) throw refusal
          if (!QUERY_REFUSED.includes(status)) return parseAnswer('igdb', Rows, text)
          if (!isOptional) throw new SourceError('igdb', 'http-error', `the source answered with status ${status}`)
          log?.warn({ endpoint, status }, 'IGDB does not take a query')
          return []
        }
        return client.request({ method: 'POST', url, headers, body, answers }, read, options)
      }

      const token = await getToken(options.signal)
      // An old token says nothing about the source.
      const isOld = new Error('the token was refused')
      return await post(token, isOld).catch(async (error: unknown) => {
        if (error !== isOld) throw error
        return await post(await getToken(options.signal, token), refuseCredentials())
      })
    },
    openForMs: () => Math.max(client.openForMs(), tokenClient.openForMs()),
  }
}
