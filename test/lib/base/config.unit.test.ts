import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#lib/base/config'
import { StartError } from '#lib/base/errors'
import { SETTINGS } from '#lib/base/settings'

const PRODUCTION = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db:27017/gamehall?replicaSet=rs0',
  JWT_SECRET: 'a secret of at least thirty-two characters',
  PUBLIC_URL: 'https://api.example.com',
  CORS_ORIGINS: 'https://example.com',
}

/** The lines that refuse the start. */
function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return String(error instanceof Error ? error.message : error).split('\n')
  }
  return []
}

test('everything has a default', () => {
  expect(readConfig({})).toEqual({
    isProduction: false,
    port: 3228,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3228',
    frontUrl: 'http://localhost:3000',
    allowedOrigins: new Set([
      'http://localhost:3000',
      'http://localhost:3228',
      'http://127.0.0.1:3228',
      'http://[::1]:3228',
    ]),
    dataDir: resolve('.data'),
    mongodbUri: undefined,
    mongodBinary: undefined,
    searchPath: '',
    cacheDir: join(homedir(), '.cache/gamehall'),
    jwtSecret: undefined,
    site: undefined,
    isSignUpOpen: true,
    sessionCookie: 'accessSessionToken',
    socketPath: '/socket.io/',
    cookieSameSite: 'lax',
    cookieDomain: undefined,
    areCookiesSecure: false,
    trustProxy: 0,
    logLevel: 'info',
    logRequests: 'all',
    slowRequestMs: 1_000,
    drainMs: 0,
    commentsPerMinute: 60,
    commentChangesPerMinute: 120,
    newAccountMs: 86_400_000,
    holdFirstComments: 0,
    reportsHideAfter: 0,
    moderationReasons: ['Spam', 'Abuse', 'Spoiler without a mark', 'Off topic'],
    metricsToken: undefined,
    s3: undefined,
    igdb: undefined,
    vndb: { apiUrl: 'https://api.vndb.org/kana', token: undefined },
    hltb: undefined,
    ra: undefined,
    syncNew: 'conflicts',
    sync: new Set(),
    syncEveryMs: 86_400_000,
    indexNow: undefined,
    imageFetchAllow: new Set(),
  })
})

test('a source that is switched on has its default address', () => {
  const switches = { IGDB_CLIENT_ID: 'a', IGDB_CLIENT_SECRET: 'b', HLTB_ENABLED: 'true', RA_API_KEY: 'c' }

  expect(readConfig({ ...switches, INDEXNOW_KEY: '0f3c9a71-B2' })).toMatchObject({
    igdb: {
      clientId: 'a',
      clientSecret: 'b',
      apiUrl: 'https://api.igdb.com/v4',
      tokenUrl: 'https://id.twitch.tv/oauth2/token',
      imagesUrl: 'https://images.igdb.com/igdb/image/upload',
    },
    hltb: { url: 'https://howlongtobeat.com' },
    ra: { apiUrl: 'https://retroachievements.org/API', apiKey: 'c' },
    indexNow: { url: 'https://api.indexnow.org/indexnow', key: '0f3c9a71-B2' },
  })
})

test('an empty value counts as unset', () => {
  const names = [...SETTINGS, 'PATH', 'XDG_CACHE_HOME']

  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
})

test.each([
  [{ PORT: '8080' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
  [{ PUBLIC_URL: 'https://api.example.com/' }, { publicUrl: 'https://api.example.com', areCookiesSecure: true }],
  [{ PUBLIC_URL: 'http://example.com/hall//' }, { publicUrl: 'http://example.com/hall', areCookiesSecure: false }],
  [{ FRONT_URL: 'https://example.com/' }, { frontUrl: 'https://example.com' }],
  [{ CORS_ORIGINS: 'https://b.example, https://a.example' }, { frontUrl: 'https://b.example' }],
  [{ XDG_CACHE_HOME: '/cache' }, { cacheDir: '/cache/gamehall' }],
  [{ MONGODB_URI: 'mongodb+srv://u:p@cluster.example/hall' }, { mongodbUri: 'mongodb+srv://u:p@cluster.example/hall' }],
  [{ COOKIE_SAMESITE: 'none' }, { cookieSameSite: 'none', areCookiesSecure: true }],
  [{ DRAIN_SECONDS: '5' }, { drainMs: 5_000 }],
  [{ SYNC: 'vndb , vndb' }, { sync: new Set(['vndb']) }],
  [{ MODERATION_REASONS: 'Spam , Rule 3' }, { moderationReasons: ['Spam', 'Rule 3'] }],
  [{ NEW_ACCOUNT_HOURS: '0' }, { newAccountMs: 0 }],
  [{ SIGN_UP: 'closed' }, { isSignUpOpen: false }],
  [{ S3_BUCKET: 'hall' }, { s3: { bucket: 'hall', endpoint: undefined, publicUrl: undefined } }],
  [{ S3_BUCKET: 'hall', S3_ENDPOINT: 'http://s3:9000/store/' }, { s3: { endpoint: 'http://s3:9000/store' } }],
  [
    {
      S3_BUCKET: 'hall',
      S3_REGION: 'eu-west-1',
      S3_FORCE_PATH_STYLE: 'false',
      S3_PUBLIC_URL: 'https://i.example/a/',
    },
    { s3: { region: 'eu-west-1', forcePathStyle: false, publicUrl: 'https://i.example/a' } },
  ],
  [
    { VNDB_API_URL: 'http://localhost:1/kana/', VNDB_TOKEN: 't' },
    { vndb: { apiUrl: 'http://localhost:1/kana', token: 't' } },
  ],
  [{ HLTB_ENABLED: 'yes', HLTB_URL: 'http://localhost:1' }, { hltb: { url: 'http://localhost:1' } }],
  [{ HLTB_ENABLED: '0', HLTB_URL: 'http://localhost:1' }, { hltb: undefined }],
  [
    { RA_API_KEY: 'k', RA_API_URL: 'http://localhost:1/API' },
    { ra: { apiUrl: 'http://localhost:1/API', apiKey: 'k' } },
  ],
  [
    { IMAGE_FETCH_ALLOW: 'LocalHost:9000, [::1]:80,127.1:65535' },
    { imageFetchAllow: new Set(['localhost:9000', '[::1]:80', '127.1:65535']) },
  ],
])('the configuration of %j', (environment, expected) => {
  expect(readConfig(environment)).toMatchObject(expected)
})

test('allowed origins have no path, are unique and hold that of the service', () => {
  const { allowedOrigins } = readConfig({
    CORS_ORIGINS: 'HTTPS://Example.com,https://example.com, http://localhost:3000',
    PUBLIC_URL: 'https://api.example.com/hall',
  })

  expect([...allowedOrigins]).toEqual(['https://example.com', 'http://localhost:3000', 'https://api.example.com'])
})

test('every loopback name of the service is allowed without PUBLIC_URL, only PUBLIC_URL with it', () => {
  const ofService = (environment: Record<string, string>) =>
    [...readConfig({ CORS_ORIGINS: 'https://a.example', ...environment }).allowedOrigins].slice(1)

  expect(ofService({ PORT: '8080' })).toEqual(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
  expect(ofService({ PORT: '80' })).toEqual(['http://localhost', 'http://127.0.0.1', 'http://[::1]'])
  expect(ofService({ PUBLIC_URL: 'http://localhost:3228' })).toEqual(['http://localhost:3228'])
  expect(ofService(PRODUCTION)).toEqual(['https://api.example.com'])
})

test.each([
  ['NODE_ENV', 'prod'],
  ['COOKIE_DOMAIN', 'https://example.com'],
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['PUBLIC_URL', 'nonsense'],
  ['PUBLIC_URL', 'https://example.com/?a=1'],
  ['FRONT_URL', 'example.com'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://example.com/'],
  ['CORS_ORIGINS', 'https://*.example.com'],
  ['MONGODB_URI', 'postgres://localhost'],
  ['COOKIE_SAMESITE', 'strict'],
  ['TRUST_PROXY', '33'],
  ['LOG_LEVEL', 'loud'],
  ['LOG_REQUESTS', 'some'],
  ['SLOW_REQUEST_MS', '0'],
  ['DRAIN_SECONDS', '601'],
  ['SYNC', 'vndb,steam'],
  ['SIGN_UP', 'no'],
  ['NEW_ACCOUNT_HOURS', '8761'],
  ['REPORTS_HIDE_AFTER', '1001'],
  ['MODERATION_REASONS', 'Spam,,Abuse'],
  ['MODERATION_REASONS', 'x'.repeat(101)],
  ['COMMENTS_PER_MINUTE', '0'],
  ['S3_BUCKET', 'a'],
  ['S3_BUCKET', '../secrets'],
  ['S3_BUCKET', 'hall\n'],
  ['S3_ENDPOINT', 's3:9000'],
  ['S3_REGION', 'north of here!'],
  ['S3_FORCE_PATH_STYLE', 'maybe'],
  ['IGDB_TOKEN_URL', 'https://id.example/token?client_id=a'],
  ['VNDB_API_URL', 'https://user@vndb.example'],
  ['HLTB_ENABLED', 'perhaps'],
  ['RA_API_URL', 'https://ra.example/#'],
  ['SYNC_NEW', 'all'],
  ['INDEXNOW_KEY', 'too-few'],
  ['IMAGE_FETCH_ALLOW', 'localhost'],
  ['IMAGE_FETCH_ALLOW', 'localhost:65536'],
  ['IMAGE_FETCH_ALLOW', '[:::]:80'],
])('a bad value refuses the start with one line that names its variable: %s=%s', (name, value) => {
  const problems = problemsOf({ [name]: value })

  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(new RegExp(`^${name} must (be|have|start|not have) \\w`))
})

test('several problems are several lines, also those of production', () => {
  const problems = problemsOf({ NODE_ENV: 'production', PORT: 'http', LOG_LEVEL: 'loud', JWT_SECRET: 'short' })

  expect(problems.map((line) => line.split(' ')[0]).sort()).toEqual([
    'CORS_ORIGINS',
    'JWT_SECRET',
    'LOG_LEVEL',
    'MONGODB_URI',
    'PORT',
    'PUBLIC_URL',
  ])
})

test('a problem never repeats a secret', () => {
  const text = problemsOf({ ...PRODUCTION, JWT_SECRET: 'hunter2', MONGODB_URI: 'mongo://u:hunter2@db' }).join('\n')

  expect(text).toContain('JWT_SECRET')
  expect(text).not.toContain('hunter2')
})

test('production listens on all interfaces', () => {
  expect(readConfig(PRODUCTION)).toMatchObject({
    isProduction: true,
    host: '0.0.0.0',
    publicUrl: 'https://api.example.com',
    frontUrl: 'https://example.com',
    areCookiesSecure: true,
  })
  expect(readConfig({ ...PRODUCTION, HOST: '10.0.0.1' }).host).toBe('10.0.0.1')
})

test.each(['MONGODB_URI', 'JWT_SECRET', 'PUBLIC_URL', 'CORS_ORIGINS'])('%s is required in production', (name) => {
  expect(problemsOf({ ...PRODUCTION, [name]: '' })).toEqual([`${name} is required in production`])
})

test('a secret of 31 characters is refused in production, 32 are not', () => {
  const problemsWith = (length: number) => problemsOf({ ...PRODUCTION, JWT_SECRET: 'x'.repeat(length) })
  expect([problemsWith(31), problemsWith(32)]).toEqual([['JWT_SECRET must have at least 32 characters'], []])
})

test.each([
  [{ SYNC: 'vndb, igdb' }, 'IGDB_CLIENT_ID and IGDB_CLIENT_SECRET are required with igdb in SYNC'],
  [{ SYNC: 'ra' }, 'RA_API_KEY is required with ra in SYNC'],
  [{ IGDB_CLIENT_ID: 'a' }, 'IGDB_CLIENT_ID and IGDB_CLIENT_SECRET need each other'],
  [{ IGDB_CLIENT_SECRET: 'a' }, 'IGDB_CLIENT_ID and IGDB_CLIENT_SECRET need each other'],
  [{ S3_ENDPOINT: 'http://s3:9000' }, 'S3_BUCKET is required with S3_ENDPOINT'],
  [{ S3_REGION: 'eu-north-1' }, 'S3_BUCKET is required with S3_REGION'],
  [{ S3_FORCE_PATH_STYLE: 'false', S3_BUCKET: '' }, 'S3_BUCKET is required with S3_FORCE_PATH_STYLE'],
])('%j needs another setting', (environment, problem) => {
  expect(problemsOf(environment)).toEqual([problem])
})

test('COOKIE_SAMESITE=none needs https, localhost aside', () => {
  const line = 'COOKIE_SAMESITE can be none only when PUBLIC_URL is https'

  expect(problemsOf({ COOKIE_SAMESITE: 'none', PUBLIC_URL: 'http://api.example.com' })).toEqual([line])
  expect(problemsOf({ COOKIE_SAMESITE: 'none', PUBLIC_URL: 'https://api.example.com' })).toEqual([])
  expect(problemsOf({ COOKIE_SAMESITE: 'none', PUBLIC_URL: 'http://127.0.0.1:3228' })).toEqual([])
  expect(problemsOf({ COOKIE_SAMESITE: 'none' })).toEqual([])
})

const SITE = { ACCOUNTS: 'site', JWT_SECRET: 'a secret that the site shares with gamehall' }
const KEYS = {
  ACCOUNTS: 'site',
  SESSION_JWKS_URL: 'https://a.example/keys',
  SESSION_ISSUER: 'i',
  SESSION_AUDIENCE: 'a',
}
const FORM =
  'SESSION_CLAIMS must be comma-separated pairs such as id:sub,userName:name,admin:roles=admin, one of them of id'

test('accounts of the site have defaults for all but the way of signing', () => {
  expect(readConfig({ ...SITE, FRONT_URL: 'https://example.com' })).toMatchObject({
    sessionCookie: 'accessSessionToken',
    site: { signInUrl: 'https://example.com', claims: { id: 'sub', userName: 'name' } },
  })
  const claims = 'id:id, avatar:https://example.com/picture ,admin:https://example.com/roles=admin'
  expect(readConfig({ ...KEYS, SESSION_CLAIMS: claims, SESSION_REQUIRE: 'typ=access' }).site).toMatchObject({
    required: { claim: 'typ', value: 'access' },
    claims: {
      id: 'id',
      avatar: 'https://example.com/picture',
      admin: { claim: 'https://example.com/roles', value: 'admin' },
    },
  })
})

test.each<[Record<string, string>, string[]]>([
  [{ ACCOUNTS: 'site' }, ['JWT_SECRET or SESSION_JWKS_URL is required with ACCOUNTS=site']],
  [{ ACCOUNTS: 'both' }, ['ACCOUNTS must be one of own, site']],
  [
    { SESSION_JWKS_URL: 'https://a.example/keys', SIGN_IN_URL: 'https://a.example' },
    ['ACCOUNTS must be site with SESSION_JWKS_URL', 'ACCOUNTS must be site with SIGN_IN_URL'],
  ],
  [
    { ...KEYS, SESSION_ISSUER: '', SESSION_AUDIENCE: '' },
    ['SESSION_ISSUER', 'SESSION_AUDIENCE'].map(
      (name) => `${name} is required with SESSION_JWKS_URL, whose keys may sign for other applications, too`,
    ),
  ],
  [
    { ...SITE, JWT_SECRET: '-----BEGIN PUBLIC KEY-----\nMIIB' },
    ['JWT_SECRET must be a shared secret with ACCOUNTS=site, and no key in PEM form'],
  ],
  ...['userName:name', 'id:sub,id:id', 'id:sub,role:roles', 'id:sub,admin:roles', 'id', 'id:', 'id:sub,'].map(
    (SESSION_CLAIMS): [Record<string, string>, string[]] => [{ ...SITE, SESSION_CLAIMS }, [FORM]],
  ),
  [{ ...SITE, SESSION_REQUIRE: 'access' }, ['SESSION_REQUIRE must be a claim and its value such as typ=access']],
  [{ ...SITE, SESSION_COOKIE: 'a b' }, ['SESSION_COOKIE must be the name of a cookie such as accessSessionToken']],
  [{ ...KEYS, SESSION_JWKS_URL: 'https://u:p@a.example/keys' }, ['SESSION_JWKS_URL must not have credentials in it']],
  [{ SOCKET_PATH: 'sockets' }, ['SOCKET_PATH must be a path such as /socket.io/']],
])('%j stops the start', (environment, problems) => {
  expect(problemsOf(environment)).toEqual(problems)
})
