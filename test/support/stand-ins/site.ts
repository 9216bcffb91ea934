import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto'
import { signToken } from '../clients/sign-token.ts'
import { type StandInAnswer, type StandInRequest, startStandInServer } from './stand-in-server.ts'

export const SITE_SECRET = 'a secret that the site shares with gamehall'
export const ISSUER = 'https://accounts.example.com'
export const AUDIENCE = 'gamehall'

/** Seconds, as tokens count them. */
export const nowSeconds = () => Math.floor(Date.now() / 1000)

const PAIRS = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}
export type KeyAlgorithm = keyof typeof PAIRS

/** A key of the site with its public form. */
export function createSiteKey(kid: string, alg: KeyAlgorithm) {
  const { privateKey, publicKey } = PAIRS[alg]()
  return { kid, alg, privateKey, publicKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } }
}
export type SiteKey = ReturnType<typeof createSiteKey>

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Signs any claims with a private key, under any header. */
export function signByKey(claims: unknown, { privateKey, alg, kid }: SiteKey, header: object = {}): string {
  const text = `${encode({ alg, typ: 'JWT', kid, ...header })}.${encode(claims)}`
  const key: Parameters<typeof signBytes>[2] =
    alg === 'ES256' ? { key: privateKey, dsaEncoding: 'ieee-p1363' } : (privateKey satisfies KeyObject)
  return `${text}.${signBytes(alg === 'EdDSA' ? null : 'sha256', Buffer.from(text), key).toString('base64url')}`
}

export interface SiteUser {
  sub: string
  name: string
  roles?: string[]
}

interface SiteOptions {
  /** Signs with this key, which the site publishes; undefined for the shared secret. */
  key?: SiteKey
  secret?: string | undefined
  issuer?: string
  cookie?: string
  /** The attributes of the cookie. */
  attributes?: string
}

/** A site with users of its own: a page that signs in, a published key set, and endpoints that say that they were reached. */
export async function startSite(options: SiteOptions = {}) {
  const { key, secret = SITE_SECRET, issuer = ISSUER, cookie = 'accessSessionToken', attributes = 'Path=/' } = options
  const users = new Map<string, SiteUser>()
  let keys = key === undefined ? [] : [key]

  function issue(user: SiteUser, claims: object = {}): string {
    const now = nowSeconds()
    const times = { iat: now, exp: now + 900, iss: issuer, aud: AUDIENCE, typ: 'access' }
    const all = { ...user, ...times, ...claims }
    const [newest] = keys
    return newest === undefined ? signToken(all, secret) : signByKey(all, newest)
  }

  function signIn({ query }: StandInRequest): StandInAnswer {
    const user = users.get(query.get('as') ?? '')
    const back = query.get('return') ?? '/'
    const links = [...users.keys()].map(
      (sub) => `<a href="?as=${sub}&return=${encodeURIComponent(back)}">Sign in as ${sub}</a>`,
    )
    if (user === undefined)
      return { headers: { 'content-type': 'text/html' }, body: `<h1>The site</h1>${links.join('')}` }
    return { status: 302, headers: { location: back, 'set-cookie': `${cookie}=${issue(user)}; ${attributes}` } }
  }

  const server = await startStandInServer((request) => {
    const { method, path } = request
    if (path === '/keys') return { body: { keys: keys.map(({ jwk }) => jwk) } }
    if (path === '/sign-in') return signIn(request)
    return { body: { site: `${method} ${path}` } }
  })

  return {
    ...server,
    issue,
    cookieOf: (user: SiteUser, claims?: object) => `${cookie}=${issue(user, claims)}`,
    addUser: (user: SiteUser) => users.set(user.sub, user),
    /** Publishes other keys, of which the first signs. */
    publish: (...published: SiteKey[]) => {
      keys = published
    },
  }
}
