import { beforeEach, describe, expect, it } from 'vitest'
import { type AuthLimits, createAuthLimits } from '../../../lib/limits/auth-limits.ts'

let now = 0
let limits: AuthLimits

beforeEach(() => {
  now = 1_000_000
  limits = createAuthLimits(() => new Date(now))
})

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))
const right = async () => 'in'
const wrong = async () => null
const everybody = (index: number) => ({ email: `person${index}@example.org`, address: '192.0.2.1' })

const codesOf = async (attempts: Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map((settled) =>
    settled.status === 'fulfilled' ? settled.value : settled.reason.code,
  )

describe('tryLogin', () => {
  it('120 people behind one address come in at once', async () => {
    expect(await codesOf(times(120, (index) => limits.tryLogin(everybody(index), right)))).toEqual(
      Array(120).fill('in'),
    )
  })

  it('120 wrong ones from one address at once are 50 failures, and refused from then on', async () => {
    const codes = await codesOf(times(120, (index) => limits.tryLogin(everybody(index), wrong)))

    expect(codes).toEqual([...Array(50).fill(null), ...Array(70).fill('RATE_LIMITED')])
    expect(await codesOf([limits.tryLogin(everybody(200), right)])).toEqual(['RATE_LIMITED'])
    expect(await limits.tryLogin({ ...everybody(0), address: '192.0.2.2' }, right)).toBe('in')
  })

  it('one refused by a wide limit does not count for a narrow one', async () => {
    await codesOf(times(50, (index) => limits.tryLogin(everybody(index), wrong)))
    await codesOf(times(20, () => limits.tryLogin(everybody(200), wrong)))
    now += 15 * 60_000 - 1
    await codesOf(times(9, () => limits.tryLogin({ ...everybody(200), address: '192.0.2.2' }, wrong)))
    now += 1
    expect(await limits.tryLogin(everybody(200), right)).toBe('in')
  })
})

describe('tryPassword', () => {
  it('14 right ones at once all come in; 14 wrong ones are 10 failures', async () => {
    const who = { userId: 'a' }

    expect(await codesOf(times(14, () => limits.tryPassword(who, right)))).toEqual(Array(14).fill('in'))
    expect(await codesOf(times(14, () => limits.tryPassword(who, wrong)))).toEqual([
      ...Array(10).fill(null),
      ...Array(4).fill('RATE_LIMITED'),
    ])
  })
})
