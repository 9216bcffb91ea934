import { beforeEach, expect, it } from 'vitest'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { type AuthLimits, createAuthLimits } from '#lib/infrastructure/limits/auth-limits'
import { useDatabase } from '../../../support/service/use-database.ts'

let limits: AuthLimits

const { db } = await useDatabase()
beforeEach(async () => {
  await db.limits.deleteMany({})
  limits = createAuthLimits({ limits: db.limits, secret: 'a secret', maxWaitMs: 60_000 })
})
/** Ends the windows of all counts so far. */
const endWindows = () => db.limits.updateMany({}, { $set: { expire: new Date(0) } })

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))
const right = async () => 'in'
const wrong = async () => null
const everybody = (index: number) => ({ email: `person${index}@example.org`, address: '192.0.2.1', deviceId: null })

const codesOf = async (attempts: Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map((settled) =>
    settled.status === 'fulfilled' ? settled.value : settled.reason.code,
  )

it('50 people behind one address sign in at once, and again', async () => {
  for (let round = 0; round < 2; round++) {
    const codes = await codesOf(times(50, (index) => limits.tryLogin(everybody(index), right)))
    expect(codes).toEqual(Array(50).fill('in'))
  }
})

it('an account has 20 sign-ins from one address, and 20 on its known devices there, right ones included', async () => {
  const elsewhere = { ...everybody(1), address: '192.0.2.2' }
  const device = { ...everybody(1), deviceId: 'her phone' }
  const second = { ...everybody(1), deviceId: 'her tablet' }
  for (const attempt of [everybody(1), device]) {
    const codes: unknown[] = []
    for (let index = 0; index < 22; index++) codes.push(...(await codesOf([limits.tryLogin(attempt, right)])))
    expect(codes).toEqual([...Array(20).fill('in'), 'RATE_LIMITED', 'RATE_LIMITED'])
  }
  expect(await codesOf([limits.tryLogin(second, right)])).toEqual(['RATE_LIMITED'])
  expect(await limits.tryLogin(elsewhere, right)).toBe('in')
  expect(await limits.tryLogin({ ...elsewhere, deviceId: 'her phone' }, right)).toBe('in')
  expect(await limits.tryLogin(everybody(2), right)).toBe('in')
  await endWindows()
  expect(await limits.tryLogin(everybody(1), right)).toBe('in')
})

it('a user has 20 checks of the current password, right ones included', async () => {
  const codes: unknown[] = []
  for (let index = 0; index < 21; index++) codes.push(...(await codesOf([limits.tryPassword({ userId: 'a' }, right)])))
  expect(codes).toEqual([...Array(20).fill('in'), 'RATE_LIMITED'])
  expect(await limits.tryPassword({ userId: 'b' }, right)).toBe('in')
})

it('60 wrong sign-ins at once from one address count as 50 failures, and later ones are refused', async () => {
  const codes = await codesOf(times(60, (index) => limits.tryLogin(everybody(index), wrong)))

  // The database counts simultaneous attempts in any order.
  expect(codes.filter((code) => code === null)).toHaveLength(50)
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(10)
  expect(await codesOf([limits.tryLogin(everybody(200), right)])).toEqual(['RATE_LIMITED'])
  expect(await limits.tryLogin({ ...everybody(0), address: '192.0.2.2' }, right)).toBe('in')
})

it('an e-mail has 100 failures over all addresses', async () => {
  const from = (index: number) => ({ ...everybody(1), address: `192.0.${index}.1` })
  const codes = await codesOf(times(104, (index) => limits.tryLogin(from(index), wrong)))

  expect(codes.filter((code) => code === null)).toHaveLength(100)
  expect(await limits.tryLogin(everybody(2), right)).toBe('in')
})

it('failures are forgotten 15 minutes after the first', async () => {
  await codesOf(times(10, () => limits.tryLogin(everybody(1), wrong)))
  const [first] = await db.limits.find({ key: /^email-address:/ }).toArray()
  expect(first?.expire.getTime()).toBeGreaterThan(Date.now() + 14 * 60_000)
  expect(first?.expire.getTime()).toBeLessThanOrEqual(Date.now() + 15 * 60_000)
  expect(await codesOf([limits.tryLogin(everybody(1), right)])).toEqual(['RATE_LIMITED'])

  await endWindows()
  expect(await limits.tryLogin(everybody(1), right)).toBe('in')
})

it('failures count over all instances, and successes are no failures', async () => {
  const other = createAuthLimits({ limits: db.limits, secret: 'a secret', maxWaitMs: 60_000 })
  await codesOf(times(9, () => other.tryLogin(everybody(1), right)))
  await codesOf(times(5, () => other.tryLogin(everybody(1), wrong)))
  await codesOf(times(5, () => limits.tryLogin(everybody(1), wrong)))

  expect(await codesOf([other.tryLogin(everybody(1), right)])).toEqual(['RATE_LIMITED'])
})

it('a known device counts alone: failures of others do not count for it, nor its failures for them', async () => {
  const device = { ...everybody(1), deviceId: 'her phone' }
  await codesOf(times(10, () => limits.tryLogin(everybody(1), wrong)))
  expect((await codesOf(times(11, () => limits.tryLogin(device, wrong)))).sort()).toEqual([
    'RATE_LIMITED',
    ...Array(10).fill(null),
  ])
  expect(await limits.tryLogin({ ...device, deviceId: 'her tablet' }, right)).toBe('in')
  expect((await db.limits.find({ key: /^email:/ }).toArray()).map(({ points }) => points)).toEqual([10])
})

it('an account has 30 failures over all its devices and addresses', async () => {
  const on = (index: number) => ({ ...everybody(1), address: `192.0.2.${index}`, deviceId: `her device ${index}` })
  const codes = await codesOf(times(40, (index) => limits.tryLogin(on(index % 20), wrong)))

  expect(codes.filter((code) => code === null)).toHaveLength(30)
  expect(await codesOf([limits.tryLogin(on(99), right)])).toEqual(['RATE_LIMITED'])
  expect(await limits.tryLogin({ ...everybody(2), deviceId: 'his phone' }, right)).toBe('in')
})

it('attempts on one account come one after another', async () => {
  let underWay = 0
  const check = async () => {
    underWay += 1
    const most = underWay
    await db.ping()
    underWay -= 1
    return most
  }
  const from = (index: number) => ({ ...everybody(1), address: `192.0.2.${index}` })
  expect(await Promise.all(times(20, (index) => limits.tryLogin(from(index), check)))).toEqual(Array(20).fill(1))
})

it('the stored keys contain neither an address nor an e-mail', async () => {
  await codesOf([limits.tryLogin(everybody(1), wrong)])
  const stored = JSON.stringify(await db.limits.find().toArray())
  expect(stored).toContain('email-address:')
  expect(stored).not.toMatch(/person1|192\.0/)
})

it('failures count in memory while the database cannot be reached', async () => {
  const away = openDatabase('mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=50')
  const alone = createAuthLimits({ limits: away.limits, secret: 'a secret', maxWaitMs: 60_000 })
  const codes: unknown[] = []
  for (let index = 0; index < 2; index++)
    codes.push(...(await codesOf(times(6, () => alone.tryPassword({ userId: 'a' }, wrong)))))
  expect(codes).toEqual([...Array(10).fill(null), 'RATE_LIMITED', 'RATE_LIMITED'])
  await away.close()
})
