import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import { openClient, untilAnswered } from '../../../support/clients/clients.ts'
import { signToken } from '../../../support/clients/sign-token.ts'
import { useService } from '../../../support/service/start-service.ts'
import {
  AUDIENCE,
  createSiteKey,
  ISSUER,
  nowSeconds,
  SITE_SECRET,
  signByKey,
  startSite,
} from '../../../support/stand-ins/site.ts'

const key = createSiteKey('first', 'RS256')
const foreignKey = createSiteKey('first', 'RS256')
const curveKey = createSiteKey('curve', 'ES256')
const edwardsKey = createSiteKey('edwards', 'EdDSA')
const site = await startSite({ key })
site.publish(key, curveKey, edwardsKey)
afterAll(site.close)

const shared = { ACCOUNTS: 'site', SESSION_REQUIRE: 'typ=access', SESSION_ISSUER: ISSUER, SESSION_AUDIENCE: AUDIENCE }
const bySecret = await useService({ env: { ...shared, JWT_SECRET: SITE_SECRET } })
const byKeys = await useService({ env: { ...shared, SESSION_JWKS_URL: `${site.url}/keys` } })
const COOKIE = 'accessSessionToken'

const claims = (changed: object = {}) => {
  const now = nowSeconds()
  const all = { sub: 'reader', name: 'Reader', typ: 'access', iss: ISSUER, aud: AUDIENCE, iat: now, exp: now + 600 }
  return Object.fromEntries(Object.entries({ ...all, ...changed }).filter(([, value]) => value !== undefined))
}
const signed = (changed?: object, header?: unknown) => signToken(claims(changed), SITE_SECRET, header)
const keyed = (changed?: object, header?: object) => signByKey(claims(changed), key, header)
const unsigned = (token: string) => token.replace(/[^.]*$/, '')
const pem = key.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const der = key.publicKey.export({ type: 'spki', format: 'der' }).toString('latin1')

type Service = typeof bySecret

async function isAdmitted({ guest, baseUrl }: Service, token: string): Promise<boolean> {
  const cookie = `${COOKIE}=${token}`
  const { status } = await guest.get('/auth/session', { headers: { cookie } })
  const joined = (await untilAnswered(openClient(baseUrl, '/royal', { cookie }))) === null
  expect([status, joined]).toEqual(joined ? [200, true] : [401, false])
  return joined
}

/** Changes of valid claims, each of which makes a token invalid, whoever signs it. */
const BAD_CLAIMS: [string, () => object][] = [
  ['without exp', () => ({ exp: undefined })],
  ['with exp null', () => ({ exp: null })],
  ['with exp as a text', () => ({ exp: String(nowSeconds() + 600) })],
  ['with exp as a list', () => ({ exp: [nowSeconds() + 600] })],
  ['with exp 0', () => ({ exp: 0 })],
  ['that has expired', () => ({ exp: nowSeconds() - 1 })],
  ['that is not valid yet', () => ({ nbf: nowSeconds() + 300 })],
  ['with nbf in words', () => ({ nbf: 'now' })],
  ['issued in the future', () => ({ iat: nowSeconds() + 3_600 })],
  ['with iat as a text', () => ({ iat: String(nowSeconds()) })],
  ['without an issuer', () => ({ iss: undefined })],
  ['of another issuer', () => ({ iss: 'https://other.example.com' })],
  ['of an issuer that begins alike', () => ({ iss: `${ISSUER}.example.net` })],
  ['with a list of issuers', () => ({ iss: [ISSUER] })],
  ['without an audience', () => ({ aud: undefined })],
  ['for another audience', () => ({ aud: 'shop' })],
  ['for a list of others', () => ({ aud: ['shop', `${AUDIENCE}2`] })],
  ['for an empty list', () => ({ aud: [] })],
  ['for a nested list', () => ({ aud: [[AUDIENCE]] })],
  ['for an object', () => ({ aud: { 0: AUDIENCE } })],
  ['without typ', () => ({ typ: undefined })],
  ['of a reset link', () => ({ typ: 'reset' })],
  ['with typ in another case', () => ({ typ: 'Access' })],
  ['with a list of typ', () => ({ typ: ['access'] })],
  ['with typ true', () => ({ typ: true })],
  ['without a user', () => ({ sub: undefined })],
  ['with an empty user', () => ({ sub: '' })],
  ['with a user that is an object', () => ({ sub: { $gt: '' } })],
  ['with a user that is a list', () => ({ sub: ['reader'] })],
  ['with a user of half a character', () => ({ sub: 'reader\ud800' })],
  ['with a user of 201 characters', () => ({ sub: 'x'.repeat(201) })],
  ['with a fraction as its user', () => ({ sub: 1.5 })],
  ['with the user in another claim', () => ({ sub: undefined, id: 'reader', userId: 'reader' })],
]

const FORGED_BY_SECRET: [string, () => string][] = [
  ['alg none', () => unsigned(signed({}, { alg: 'none' }))],
  ['RS256 in the header of HS256', () => signed({}, { alg: 'RS256', typ: 'JWT' })],
  ['a key of its own', () => keyed({}, { jwk: key.jwk })],
  ['another secret', () => signToken(claims(), 'another secret of thirty-two characters')],
  ['an empty secret', () => signToken(claims(), '')],
  ['no signature', () => unsigned(signed())],
  [
    'claims changed after the signature',
    () => [...signed().split('.')].with(1, signed({ sub: 'x' }).split('.')[1] ?? '').join('.'),
  ],
  ['an own token of this service', () => signToken({ sub: String(new ObjectId()), fam: null, pwd: null }, SITE_SECRET)],
]

const FORGED_BY_KEY: [string, () => string][] = [
  ['HS256 by the public key as PEM', () => signToken(claims(), pem, { alg: 'HS256', typ: 'JWT', kid: 'first' })],
  [
    'HS256 by the public key as PEM without its end',
    () => signToken(claims(), pem.trim(), { alg: 'HS256', kid: 'first' }),
  ],
  ['HS256 by the public key as DER', () => signToken(claims(), der, { alg: 'HS256', typ: 'JWT', kid: 'first' })],
  ['HS256 by the modulus', () => signToken(claims(), String(key.jwk.n), { alg: 'HS256', typ: 'JWT', kid: 'first' })],
  ['HS256 by the key as JSON', () => signToken(claims(), JSON.stringify(key.jwk), { alg: 'HS256', kid: 'first' })],
  ["HS256 by this service's secret", () => signToken(claims(), byKeys.deps.jwtSecret, { alg: 'HS256', kid: 'first' })],
  ['alg none', () => unsigned(keyed({}, { alg: 'none' }))],
  ['RS384 in the header', () => keyed({}, { alg: 'RS384' })],
  ['PS256 in the header', () => keyed({}, { alg: 'PS256' })],
  ['ES256 in the header of an RSA key', () => keyed({}, { alg: 'ES256' })],
  ['another key under a known id', () => signByKey(claims(), foreignKey)],
  [
    'another key that the header brings',
    () => signByKey(claims(), foreignKey, { jwk: foreignKey.jwk, jku: `${site.url}/keys` }),
  ],
  ['an unknown id', () => keyed({}, { kid: 'second' })],
  ['the id of another key', () => keyed({}, { kid: 'curve' })],
  ['no id', () => keyed({}, { kid: undefined })],
  ['an id that is a path', () => keyed({}, { kid: '../../dev/null' })],
  ['an id that is an object', () => keyed({}, { kid: { $ne: '' } })],
  ['an id of objects', () => keyed({}, { kid: '__proto__' })],
  ['no signature', () => unsigned(keyed())],
]

describe('by the shared secret', () => {
  it.each(BAD_CLAIMS)('401 for a token %s', async (_, change) => {
    expect(await isAdmitted(bySecret, signed(change()))).toBe(false)
  })

  it.each(FORGED_BY_SECRET)('401 for %s', async (_, forge) => {
    expect(await isAdmitted(bySecret, forge())).toBe(false)
  })

  it.each([
    ['an audience in a list', { aud: ['shop', AUDIENCE] }],
    ['a user in digits', { sub: 42 }],
    ['no iat', { iat: undefined, sub: 'undated' }],
  ])('200 for %s', async (_, change) => {
    expect(await isAdmitted(bySecret, signed(change))).toBe(true)
  })
})

describe('by the key set', () => {
  it.each(BAD_CLAIMS)('401 for a token %s', async (_, change) => {
    expect(await isAdmitted(byKeys, keyed(change()))).toBe(false)
  })

  it.each(FORGED_BY_KEY)('401 for %s', async (_, forge) => {
    expect(await isAdmitted(byKeys, forge())).toBe(false)
  })

  it.each([key, curveKey, edwardsKey])('200 for $alg', async (signer) => {
    expect(await isAdmitted(byKeys, signByKey(claims(), signer))).toBe(true)
  })
})

it('no hostile token made a user', async () => {
  const names = async ({ db }: Service) => (await db.users.find().toArray()).map(({ externalId }) => externalId)
  expect((await names(bySecret)).toSorted()).toEqual(['42', 'reader', 'undated'])
  expect(await names(byKeys)).toEqual(['reader'])
})
