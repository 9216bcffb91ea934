import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { StartError } from './errors.ts'
import { Environment, findContradictions, findMissing, SECRETS } from './settings.ts'

export type Config = ReturnType<typeof toConfig>
export type SiteConfig = NonNullable<Config['site']>
export type S3Config = NonNullable<Config['s3']>
export type IgdbConfig = NonNullable<Config['igdb']>

function toConfig(env: Environment) {
  const isProduction = env.NODE_ENV === 'production'
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  // A developer may open the service by another name of this machine than its links have.
  const names = ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${env.PORT}`)
  const serviceOrigins = (env.PUBLIC_URL ? [publicUrl] : names).map((url) => new URL(url).origin)
  const corsOrigins = (env.CORS_ORIGINS ?? ['http://localhost:3000']).map((origin) => new URL(origin).origin)
  const frontUrl = env.FRONT_URL ?? corsOrigins[0] ?? publicUrl

  return {
    isProduction,
    port: env.PORT,
    host: env.HOST ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    /** How the outside reaches this service, without a trailing slash. */
    publicUrl,
    frontUrl,
    /** Origins allowed with credentials, the service's own included. */
    allowedOrigins: new Set([...corsOrigins, ...serviceOrigins]),
    dataDir: resolve(env.DATA_DIR),
    mongodbUri: env.MONGODB_URI,
    mongodBinary: env.MONGOD_BINARY,
    searchPath: env.PATH,
    cacheDir: join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gamehall'),
    /** Undefined in development: then one is made and kept in `dataDir`. */
    jwtSecret: env.JWT_SECRET,
    /** The site whose session tokens are accepted. Undefined: accounts and sessions are those of this service. */
    site:
      env.ACCOUNTS === 'own'
        ? undefined
        : {
            /** Undefined: its tokens are signed by `JWT_SECRET`. */
            jwksUrl: env.SESSION_JWKS_URL,
            issuer: env.SESSION_ISSUER,
            audience: env.SESSION_AUDIENCE,
            required: env.SESSION_REQUIRE,
            signInUrl: env.SIGN_IN_URL ?? frontUrl,
            claims: env.SESSION_CLAIMS ?? { id: 'sub', userName: 'name', admin: undefined },
          },
    isSignUpOpen: env.SIGN_UP === 'open',
    sessionCookie: env.SESSION_COOKIE ?? 'accessSessionToken',
    cookieSameSite: env.COOKIE_SAMESITE,
    cookieDomain: env.COOKIE_DOMAIN,
    areCookiesSecure: publicUrl.startsWith('https:') || env.COOKIE_SAMESITE === 'none',
    /** The path ends with a slash. */
    socketPath: env.SOCKET_PATH.replace(/\/?$/, '/'),
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    logRequests: env.LOG_REQUESTS,
    slowRequestMs: env.SLOW_REQUEST_MS,
    drainMs: env.DRAIN_SECONDS * 1_000,
    commentsPerMinute: env.COMMENTS_PER_MINUTE,
    commentChangesPerMinute: env.COMMENT_CHANGES_PER_MINUTE,
    newAccountMs: env.NEW_ACCOUNT_HOURS * 60 * 60 * 1_000,
    holdFirstComments: env.HOLD_FIRST_COMMENTS,
    /** 0: reports alone hide no comment. */
    reportsHideAfter: env.REPORTS_HIDE_AFTER,
    moderationReasons: env.MODERATION_REASONS,
    metricsToken: env.METRICS_TOKEN,
    /** Undefined: objects are local files in `dataDir`. Undefined fields are left to the SDK. */
    s3:
      env.S3_BUCKET === undefined
        ? undefined
        : {
            bucket: env.S3_BUCKET,
            endpoint: env.S3_ENDPOINT,
            region: env.S3_REGION,
            /** Where readers find the objects, without a trailing slash. */
            publicUrl: env.S3_PUBLIC_URL,
            forcePathStyle: env.S3_FORCE_PATH_STYLE,
          },
    igdb:
      env.IGDB_CLIENT_ID === undefined || env.IGDB_CLIENT_SECRET === undefined
        ? undefined
        : {
            clientId: env.IGDB_CLIENT_ID,
            clientSecret: env.IGDB_CLIENT_SECRET,
            apiUrl: env.IGDB_API_URL,
            tokenUrl: env.IGDB_TOKEN_URL,
            imagesUrl: env.IGDB_IMAGES_URL,
          },
    vndb: { apiUrl: env.VNDB_API_URL, token: env.VNDB_TOKEN },
    hltb: env.HLTB_ENABLED ? { url: env.HLTB_URL } : undefined,
    ra: env.RA_API_KEY === undefined ? undefined : { apiUrl: env.RA_API_URL, apiKey: env.RA_API_KEY },
    syncNew: env.SYNC_NEW,
    sync: new Set(env.SYNC),
    syncEveryMs: env.SYNC_EVERY_HOURS * 60 * 60 * 1_000,
    indexNow: env.INDEXNOW_KEY === undefined ? undefined : { url: env.INDEXNOW_URL, key: env.INDEXNOW_KEY },
    /** `host:port` in lower case: private hosts that image downloads may reach. */
    imageFetchAllow: new Set(env.IMAGE_FETCH_ALLOW),
  }
}

/** True when `.env` exists and is not read, because only development reads it. */
export const isEnvFileIgnored = () => process.env.NODE_ENV === 'production' && existsSync('.env')

/** Reads the environment of this process, the files of secrets, and in development `.env`. @throws StartError */
export function readEnvironment(): NodeJS.ProcessEnv {
  const { env } = process
  if (env.NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env')
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new StartError(`${name} and ${name}_FILE are both set: leave one out`)
    try {
      env[name] = readFileSync(file, 'utf8').trim()
    } catch (error) {
      throw new StartError(`${name}_FILE cannot be read: ${error instanceof Error ? error.message : error}`)
    }
    // A second call finds the secret alone.
    delete env[`${name}_FILE`]
  }
  return env
}

/** Makes the configuration; an empty value counts as unset. @throws StartError with a line for each problem */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)

  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)),
    ...findMissing(set),
    ...(parsed.success ? findContradictions(parsed.data) : []),
  ]
  if (!parsed.success || problems.length > 0) {
    const hint = isEnvFileIgnored() ? ['.env is ignored in production'] : []
    throw new StartError([...problems, ...hint].join('\n'))
  }
  return toConfig(parsed.data)
}
