import { z } from 'zod'
import { SYNC_NEW } from '../contract/entries.ts'
import { readUrl } from '../contract/read-url.ts'
import { SyncSource } from '../contract/sync.ts'
import { claimMap, claimValue } from './site-settings.ts'

const LOOPBACK_HOST = /^((.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopbackHost = (host: string) => LOOPBACK_HOST.test(host) || host === '::1'

/** True when an address like `http://localhost:3228` names this machine only. */
export const isLoopbackUrl = (url: string) => LOOPBACK_HOST.test(new URL(url).hostname)

const integer = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .default(fallback)

const oneOf = <const T extends readonly string[]>(...values: T) => z.enum(values, `must be one of ${values.join(', ')}`)

const yesOrNo = z.stringbool('must be true or false')

/** An address in the form of parsed links, without a trailing slash. */
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address', abort: true })
  .refine((url) => !/[?#]/.test(url), { error: 'must not have a query or a fragment', abort: true })
  .transform((url) => new URL(url))
  .refine(({ username, password }) => username + password === '', 'must not have credentials in it')
  .transform(({ href }) => href.replace(/\/+$/, ''))

const commaSeparated = (isItem: (item: string) => boolean, error: string) =>
  z
    .string()
    .transform((list) => list.split(',').map((item) => item.trim()))
    .refine((list) => list.every(isItem), error)

const origins = commaSeparated(
  (text) => /^https?:[^*]+$/i.test(text) && readUrl(text)?.origin === text.toLowerCase(),
  'must be comma-separated bare origins such as https://example.com, without a path and without *',
)

const reasons = commaSeparated(
  (reason) => reason.length > 0 && reason.length <= 100,
  'must be comma-separated texts of at most 100 characters such as Spam',
)

const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):[1-9]\d{0,4}$/i

const hostsAndPorts = commaSeparated(
  (place) => HOST_AND_PORT.test(place) && readUrl(`http://${place}`) !== undefined,
  'must be comma-separated pairs of host and port such as localhost:9000',
).transform((places) => places.map((place) => place.toLowerCase()))

const syncSources = commaSeparated(
  (source) => SyncSource.safeParse(source).success,
  `must be a comma-separated list of ${SyncSource.options.join(', ')}`,
).transform((sources) => sources.map((source) => SyncSource.parse(source)))

/** Compatible servers accept names that AWS refuses. */
const bucketName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{1,254}$/i,
    'must be a name of 2 to 255 letters, digits, dots, dashes and underscores such as game-images',
  )

export const Environment = z.object({
  NODE_ENV: oneOf('production', 'development', 'test').optional(),
  PORT: integer(0, 65_535, 3228),
  HOST: z.string().optional(),
  PUBLIC_URL: httpUrl.optional(),
  FRONT_URL: httpUrl.optional(),
  CORS_ORIGINS: origins.optional(),
  DATA_DIR: z.string().default('.data'),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must start with mongodb:// or mongodb+srv://')
    .optional(),
  MONGOD_BINARY: z.string().optional(),
  JWT_SECRET: z.string().optional(),
  ACCOUNTS: oneOf('own', 'site').default('own'),
  SESSION_COOKIE: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be the name of a cookie such as accessSessionToken')
    .optional(),
  SESSION_JWKS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), 'must not have credentials in it')
    .optional(),
  SESSION_ISSUER: z.string().optional(),
  SESSION_AUDIENCE: z.string().optional(),
  SESSION_REQUIRE: claimValue('must be a claim and its value such as typ=access').optional(),
  SESSION_CLAIMS: claimMap.optional(),
  SIGN_IN_URL: httpUrl.optional(),
  SIGN_UP: oneOf('open', 'closed').default('open'),
  COOKIE_SAMESITE: oneOf('lax', 'none').default('lax'),
  COOKIE_DOMAIN: z
    .string()
    .regex(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a bare domain such as example.com')
    .optional(),
  SOCKET_PATH: z
    .string()
    .regex(/^(\/[\w-][\w.-]*)+\/?$/, 'must be a path such as /socket.io/')
    .default('/socket.io/'),
  TRUST_PROXY: integer(0, 32, 0),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  LOG_REQUESTS: oneOf('all', 'slow', 'none').default('all'),
  SLOW_REQUEST_MS: integer(1, 3_600_000, 1_000),
  DRAIN_SECONDS: integer(0, 600, 0),
  COMMENTS_PER_MINUTE: integer(1, 1_000_000, 60),
  COMMENT_CHANGES_PER_MINUTE: integer(1, 1_000_000, 120),
  NEW_ACCOUNT_HOURS: integer(0, 8_760, 24),
  HOLD_FIRST_COMMENTS: integer(0, 1_000, 0),
  REPORTS_HIDE_AFTER: integer(0, 1_000, 0),
  MODERATION_REASONS: reasons.default(['Spam', 'Abuse', 'Spoiler without a mark', 'Off topic']),
  METRICS_TOKEN: z.string().optional(),
  S3_BUCKET: bucketName.optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: z
    .string()
    .regex(/^(?!-)[a-z0-9-]{1,63}(?<!-)$/i, 'must be a region such as eu-north-1')
    .optional(),
  S3_PUBLIC_URL: httpUrl.optional(),
  S3_FORCE_PATH_STYLE: yesOrNo.optional(),
  IGDB_CLIENT_ID: z.string().optional(),
  IGDB_CLIENT_SECRET: z.string().optional(),
  IGDB_API_URL: httpUrl.default('https://api.igdb.com/v4'),
  IGDB_TOKEN_URL: httpUrl.default('https://id.twitch.tv/oauth2/token'),
  IGDB_IMAGES_URL: httpUrl.default('https://images.igdb.com/igdb/image/upload'),
  VNDB_API_URL: httpUrl.default('https://api.vndb.org/kana'),
  VNDB_TOKEN: z.string().optional(),
  HLTB_URL: httpUrl.default('https://howlongtobeat.com'),
  HLTB_ENABLED: yesOrNo.default(false),
  RA_API_URL: httpUrl.default('https://retroachievements.org/API'),
  RA_API_KEY: z.string().optional(),
  SYNC_NEW: oneOf(...SYNC_NEW).default('conflicts'),
  SYNC: syncSources.default([]),
  SYNC_EVERY_HOURS: integer(1, 720, 24),
  INDEXNOW_URL: httpUrl.default('https://api.indexnow.org/indexnow'),
  INDEXNOW_KEY: z
    .string()
    .regex(/^[a-zA-Z0-9-]{8,128}$/, 'must have 8 to 128 letters, digits or dashes')
    .optional(),
  IMAGE_FETCH_ALLOW: hostsAndPorts.optional(),
  PATH: z.string().default(''),
  XDG_CACHE_HOME: z.string().optional(),
})
export type Environment = z.infer<typeof Environment>

export const SETTINGS: readonly string[] = Object.keys(Environment.shape).filter((name) => name !== 'PATH')

/** Secrets, which no output may contain. Each may be read from the file that `<NAME>_FILE` names. */
export const SECRETS = [
  'MONGODB_URI',
  'JWT_SECRET',
  'METRICS_TOKEN',
  'IGDB_CLIENT_SECRET',
  'VNDB_TOKEN',
  'RA_API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'IMPORT_URI',
]

const REQUIRED_IN_PRODUCTION = ['MONGODB_URI', 'JWT_SECRET', 'PUBLIC_URL', 'CORS_ORIGINS'] as const

export function findMissing({ NODE_ENV, ...set }: NodeJS.ProcessEnv): string[] {
  if (NODE_ENV !== 'production') return []
  const missing = REQUIRED_IN_PRODUCTION.filter((name) => set[name] === undefined)

  return [
    ...missing.map((name) => `${name} is required in production`),
    ...(set.JWT_SECRET && set.JWT_SECRET.length < 32 ? ['JWT_SECRET must have at least 32 characters'] : []),
  ]
}

/** The settings that need a bucket. `S3_PUBLIC_URL` does not: a composed installation has it in its `.env`, which a start by hand reads, too. */
const BUCKET_SETTINGS = ['S3_ENDPOINT', 'S3_REGION', 'S3_FORCE_PATH_STYLE'] as const

const SITE_SETTINGS = [
  'SESSION_COOKIE',
  'SESSION_JWKS_URL',
  'SESSION_ISSUER',
  'SESSION_AUDIENCE',
  'SESSION_REQUIRE',
  'SESSION_CLAIMS',
  'SIGN_IN_URL',
] as const

function findSessionContradictions(env: Environment): string[] {
  const { JWT_SECRET, SESSION_JWKS_URL } = env
  if (env.ACCOUNTS === 'own')
    return SITE_SETTINGS.filter((name) => env[name] !== undefined).map((name) => `ACCOUNTS must be site with ${name}`)
  if (SESSION_JWKS_URL === undefined) {
    if (JWT_SECRET === undefined) return ['JWT_SECRET or SESSION_JWKS_URL is required with ACCOUNTS=site']
    const isPublished = JWT_SECRET.includes('-----BEGIN')
    return isPublished ? ['JWT_SECRET must be a shared secret with ACCOUNTS=site, and no key in PEM form'] : []
  }
  const needed = ['SESSION_ISSUER', 'SESSION_AUDIENCE'] as const
  return needed
    .filter((name) => env[name] === undefined)
    .map((name) => `${name} is required with SESSION_JWKS_URL, whose keys may sign for other applications, too`)
}

/** Finds settings that are valid each, but contradict one another. */
export function findContradictions({ PUBLIC_URL = 'http://localhost', ...env }: Environment): string[] {
  const isSecure = PUBLIC_URL.startsWith('https:') || isLoopbackUrl(PUBLIC_URL)
  const isHalf = (env.IGDB_CLIENT_ID === undefined) !== (env.IGDB_CLIENT_SECRET === undefined)

  return [
    ...(env.COOKIE_SAMESITE === 'none' && !isSecure
      ? ['COOKIE_SAMESITE can be none only when PUBLIC_URL is https']
      : []),
    ...(env.SYNC.includes('igdb') && env.IGDB_CLIENT_ID === undefined
      ? ['IGDB_CLIENT_ID and IGDB_CLIENT_SECRET are required with igdb in SYNC']
      : []),
    ...(env.SYNC.includes('ra') && env.RA_API_KEY === undefined ? ['RA_API_KEY is required with ra in SYNC'] : []),
    ...(isHalf ? ['IGDB_CLIENT_ID and IGDB_CLIENT_SECRET need each other'] : []),
    ...(env.S3_BUCKET === undefined
      ? BUCKET_SETTINGS.filter((name) => env[name] !== undefined).map((name) => `S3_BUCKET is required with ${name}`)
      : []),
    ...findSessionContradictions(env),
  ]
}
