import { afterAll, beforeEach, expect, it } from 'vitest'
import { createLogger } from '#lib/infrastructure/observability/log'
import { createKeySet } from '#lib/infrastructure/sources/key-set'
import { createSiteKey, startSite } from '../../../support/stand-ins/site.ts'

const first = createSiteKey('first', 'RS256')
const second = createSiteKey('second', 'ES256')
const site = await startSite({ key: first })
afterAll(site.close)
const MINUTE = 60_000

let now = 0
const create = () => createKeySet({ url: `${site.url}/keys`, log: createLogger('silent'), clock: () => new Date(now) })

beforeEach(() => {
  now = 1_800_000_000_000
  site.reset()
  site.publish(first)
})

it('concurrent readers share one reading, and the set is kept for an hour', async () => {
  const keys = create()
  const found = await Promise.all(Array.from({ length: 20 }, () => keys.find('first')))
  expect(new Set(found).size).toBe(1)
  now += 59 * MINUTE
  expect(await keys.find('first')).toBe(found[0])
  expect(site.requests.length).toBe(1)

  site.publish(second)
  now += MINUTE
  expect(await keys.find('first')).toBeNull()
  expect(site.requests.length).toBe(2)
})

it('an unknown id causes another reading, at most once a minute', async () => {
  const keys = create()
  await keys.find('first')
  site.publish(second, first)
  const unknown = () => Promise.all(Array.from({ length: 20 }, (_, at) => keys.find(`unknown ${at}`)))
  await unknown()
  expect([await keys.find('second'), site.requests.length]).toEqual([null, 1])
  now += MINUTE
  expect(await keys.find('second')).toMatchObject({ alg: 'ES256' })
  await unknown()
  expect(site.requests.length).toBe(2)
})

it.each([503, 'garbage', 'half', 302, { body: { keys: 'none' } }] as const)(
  'the last valid keys are used while the set answers %j, and are read again after a minute',
  async (failure) => {
    const keys = create()
    const good = await keys.find('first')
    site.fail(failure)
    now += 61 * MINUTE
    expect(await Promise.all([keys.find('first'), keys.find('first')])).toEqual([good, good])
    expect([await keys.find('second'), site.requests.length]).toEqual([null, 2])
    site.heal()
    site.publish(second)
    now += MINUTE
    expect([await keys.find('first'), await keys.find('second')]).toEqual([null, expect.anything()])
  },
)

it('UNAVAILABLE before the first set, which is read again soon', async () => {
  site.fail(500)
  const keys = create()
  await expect(keys.find('first')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  site.heal()
  now += 5_000
  expect(await keys.find('first')).not.toBeNull()
})

it('private parts, other uses, other algorithms and symmetric keys are left out', async () => {
  const { jwk } = first
  const keys = [
    { ...jwk, kid: 'private', d: 'AQAB' },
    { ...jwk, kid: 'encrypting', use: 'enc' },
    { ...jwk, kid: 'other', alg: 'RS512' },
    { kty: 'oct', kid: 'symmetric', k: 'c2VjcmV0' },
    { ...jwk, kid: undefined },
    null,
    { ...jwk, kid: 'twice' },
    { ...second.jwk, kid: 'twice' },
  ]
  site.fail({ body: { keys } })
  const set = create()
  const found = await Promise.all(['private', 'encrypting', 'other', 'symmetric', 'twice'].map((kid) => set.find(kid)))
  expect(found.map((key) => key?.alg)).toEqual(['RS256', undefined, undefined, undefined, 'RS256'])
  expect(Object.keys(found[0]?.key ?? {})).not.toContain('d')
})
