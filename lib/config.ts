import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { StartError } from './errors.ts'

export interface Config {
  isProduction: boolean
  port: number
  host: string
  /** How the outside reaches this service, without a trailing slash. */
  publicUrl: string
  frontUrl: string
  /** Origins allowed with credentials, the service's own included. */
  allowedOrigins: ReadonlySet<string>
  dataDir: string
  mongodbUri: string | undefined
  mongodBinary: string | undefined
  searchPath: string
  cacheDir: string
  /** Undefined in development: then one is made and kept in `dataDir`. */
  jwtSecret: string | undefined
  cookieSameSite: 'lax' | 'none'
  cookieDomain: string | undefined
  areCookiesSecure: boolean
  trustProxy: number
  logLevel: Environment['LOG_LEVEL']
  commentsPerMinute: number
  commentChangesPerMinute: number
  metricsToken: string | undefined
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether an address like `http://localhost:3228` names this machine only. */
export const isLoopbackUrl = (url: string) => LOOPBACK_HOST.test(new URL(url).hostname)

const integer = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .default(fallback)

const oneOf = <const T extends readonly string[]>(...values: T) => z.enum(values, `must be one of ${values.join(', ')}`)

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address', abort: true })
  .refine((url) => !new URL(url).search && !new URL(url).hash, 'must not have a query or a fragment')
  .transform((url) => url.replace(/\/+$/, ''))

const origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine(
    (list) => list.every(isBareOrigin),
    'must be comma-separated bare origins such as https://example.com, without a path and without *',
  )

function isBareOrigin(text: string): boolean {
  return /^https?:[^*]+$/i.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase()
}

const Environment = z.object({
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
  COOKIE_SAMESITE: oneOf('lax', 'none').default('lax'),
  COOKIE_DOMAIN: z
    .string()
    .regex(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a bare domain such as example.com')
    .optional(),
  TRUST_PROXY: integer(0, 32, 0),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  COMMENTS_PER_MINUTE: integer(1, 1_000_000, 60),
  COMMENT_CHANGES_PER_MINUTE: integer(1, 1_000_000, 120),
  METRICS_TOKEN: z.string().optional(),
  PATH: z.string().default(''),
  XDG_CACHE_HOME: z.string().optional(),
})
type Environment = z.infer<typeof Environment>

const REQUIRED_IN_PRODUCTION = ['MONGODB_URI', 'JWT_SECRET', 'PUBLIC_URL', 'CORS_ORIGINS'] as const

/** What a production start asks beyond the form of each value. */
function findGaps({ NODE_ENV, ...set }: NodeJS.ProcessEnv): string[] {
  if (NODE_ENV !== 'production') return []
  const missing = REQUIRED_IN_PRODUCTION.filter((name) => set[name] === undefined)

  return [
    ...missing.map((name) => `${name} is required in production`),
    ...(set.JWT_SECRET && set.JWT_SECRET.length < 32 ? ['JWT_SECRET must have at least 32 characters'] : []),
  ]
}

/** Settings that are each fine, but not together. */
function findContradictions({ COOKIE_SAMESITE, PUBLIC_URL = 'http://localhost' }: Environment): string[] {
  const isSecure = PUBLIC_URL.startsWith('https:') || isLoopbackUrl(PUBLIC_URL)
  return COOKIE_SAMESITE === 'none' && !isSecure ? ['COOKIE_SAMESITE can be none only when PUBLIC_URL is https'] : []
}

/** Every name of this machine: whoever opens a development service by another one than that of its links is at home, too. */
const loopbackOrigins = (port: number) =>
  ['localhost', '127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${port}`).origin)

/** The environment of this process, with `.env` beneath it unless this is production. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (process.env.NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

/**
 * Turns environment variables into the configuration. An empty value counts as unset.
 * @throws StartError with one line per problem that names the variable
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)

  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)),
    ...findGaps(set),
    ...(parsed.success ? findContradictions(parsed.data) : []),
  ]
  if (!parsed.success || problems.length > 0) throw new StartError(problems.join('\n'))

  const env = parsed.data
  const isProduction = env.NODE_ENV === 'production'
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  const ownOrigins = env.PUBLIC_URL === undefined ? loopbackOrigins(env.PORT) : [new URL(publicUrl).origin]
  const corsOrigins = (env.CORS_ORIGINS ?? ['http://localhost:3000']).map((origin) => new URL(origin).origin)

  return {
    isProduction,
    port: env.PORT,
    host: env.HOST ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    publicUrl,
    frontUrl: env.FRONT_URL ?? corsOrigins[0] ?? publicUrl,
    allowedOrigins: new Set([...corsOrigins, ...ownOrigins]),
    dataDir: resolve(env.DATA_DIR),
    mongodbUri: env.MONGODB_URI,
    mongodBinary: env.MONGOD_BINARY,
    searchPath: env.PATH,
    cacheDir: join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gamehall'),
    jwtSecret: env.JWT_SECRET,
    cookieSameSite: env.COOKIE_SAMESITE,
    cookieDomain: env.COOKIE_DOMAIN,
    areCookiesSecure: publicUrl.startsWith('https:') || env.COOKIE_SAMESITE === 'none',
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    commentsPerMinute: env.COMMENTS_PER_MINUTE,
    commentChangesPerMinute: env.COMMENT_CHANGES_PER_MINUTE,
    metricsToken: env.METRICS_TOKEN,
  }
}
