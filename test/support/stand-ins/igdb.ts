import { type QueryRefusal, runQuery } from './apicalypse.ts'
import { type StandInAnswer, type StandInRequest, startStandInServer } from './stand-in-server.ts'

export type Row = { id: number } & Record<string, unknown>

interface IgdbStandInOptions {
  /** References as whole rows: what a query does not expand becomes an id. */
  games?: readonly Row[]
  characters?: readonly Row[]
  /** Requests to the API within any `windowMs`. */
  perWindow?: number
  windowMs?: number
  tokenSeconds?: number
}

const OPEN_MOST = 8
const CREDENTIALS = { clientId: 'stand-in-client', clientSecret: 'stand-in-secret' }
const UNAUTHORIZED = { message: 'Authorization Failure. Have you tried:', 'Tip 1': 'Ensure you are sending a token' }

const refusalOf = ({ status, title }: QueryRefusal): StandInAnswer => ({
  status,
  body: [{ title, status, ...(status === 400 && { cause: title }) }],
})

export type IgdbStandIn = Awaited<ReturnType<typeof startIgdbStandIn>>

/** IGDB with its token endpoint, as strict as the real one about limits, credentials and field names. */
export async function startIgdbStandIn(options: IgdbStandInOptions = {}) {
  const { perWindow = 4, windowMs = 1_000, tokenSeconds = 5_184_000 } = options
  const tables = { games: [...(options.games ?? [])], characters: [...(options.characters ?? [])] }
  const arrivals: number[] = []
  let valid = new Set<string>()
  let tokens = 0

  function giveToken({ body }: StandInRequest): StandInAnswer {
    const form = new URLSearchParams(body)
    if (form.get('grant_type') !== 'client_credentials') return { status: 400, body: { message: 'missing grant type' } }
    if (form.get('client_id') !== CREDENTIALS.clientId)
      return { status: 400, body: { status: 400, message: 'invalid client' } }
    if (form.get('client_secret') !== CREDENTIALS.clientSecret)
      return { status: 403, body: { status: 403, message: 'invalid client secret' } }

    tokens += 1
    const token = `token-${tokens}`
    valid.add(token)
    return { body: { access_token: token, expires_in: tokenSeconds, token_type: 'bearer' } }
  }

  const countBefore = (at: number) => arrivals.filter((each) => each > at - windowMs && each <= at).length

  function answerQuery({ path, headers, body, at, open }: StandInRequest): StandInAnswer {
    arrivals.push(at)
    if (countBefore(at) > perWindow || open > OPEN_MOST) return { status: 429, body: { message: 'Too Many Requests' } }
    const [scheme, token = ''] = headers.authorization?.split(' ') ?? []
    if (headers['client-id'] !== CREDENTIALS.clientId || scheme !== 'Bearer' || !valid.has(token))
      return { status: 401, body: UNAUTHORIZED }

    const endpoint = path.slice('/v4/'.length)
    if (endpoint !== 'games' && endpoint !== 'characters') return { status: 404, body: 'Not Found' }
    const result = runQuery(endpoint, tables[endpoint], body)
    return Array.isArray(result) ? { body: result } : refusalOf(result)
  }

  const server = await startStandInServer((request) => {
    if (request.method !== 'POST') return { status: 404, body: 'Not Found' }
    if (request.path === '/oauth2/token') return giveToken(request)
    return request.path.startsWith('/v4/') ? answerQuery(request) : { status: 404, body: 'Not Found' }
  })

  return Object.assign(server, {
    ...tables,
    env: {
      IGDB_CLIENT_ID: CREDENTIALS.clientId,
      IGDB_CLIENT_SECRET: CREDENTIALS.clientSecret,
      IGDB_API_URL: `${server.url}/v4`,
      IGDB_TOKEN_URL: `${server.url}/oauth2/token`,
      IGDB_IMAGES_URL: `${server.url}/images`,
    },
    tokens: () => tokens,
    /** Expires every token that was issued so far. */
    expireTokens() {
      valid = new Set()
    },
    queries: (endpoint: string) =>
      server.requests.filter(({ path }) => path === `/v4/${endpoint}`).map(({ body }) => body),
    /** The most requests to the API within any one window. */
    mostInWindow: () => Math.max(0, ...arrivals.map(countBefore)),
  })
}
