import { describe, expect, it } from 'vitest'
import { createPasswords, hashPassword, isPassword } from '../../../lib/auth/passwords.ts'

it('isPassword knows the password that was hashed, each time with another salt', async () => {
  const [one, two] = await Promise.all([hashPassword('pässword 😀'), hashPassword('pässword 😀')])

  expect(one).not.toBe(two)
  expect(await isPassword(one, 'pässword 😀')).toBe(true)
  expect(await isPassword(one, 'password 😀')).toBe(false)
})

describe('hashing for requests', () => {
  it('lets 50 wait for the two under way, and refuses the rest at once', async () => {
    const passwords = createPasswords()
    const settled = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => passwords.hash(`account ${index}`, 'a password')),
    )

    expect(settled.map(({ status }) => status)).toEqual([...Array(52).fill('fulfilled'), ...Array(8).fill('rejected')])
    expect(settled[52]).toMatchObject({ reason: { code: 'UNAVAILABLE', details: { retryAfter: 1 } } })
    expect(await passwords.isRight('a', await passwords.hash('a', 'right'), 'right')).toBe(true)
    expect(await passwords.isRight('a', undefined, 'right')).toBe(false)
  })

  it('lets five of one account wait, and keeps the other places for others', async () => {
    const passwords = createPasswords()
    const settled = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => passwords.hash('flooded', 'a password')),
      ...Array.from({ length: 12 }, (_, index) => passwords.hash(`other ${index}`, 'a password')),
    ])

    expect(settled.map(({ status }) => status)).toEqual([
      ...Array(7).fill('fulfilled'),
      ...Array(13).fill('rejected'),
      ...Array(12).fill('fulfilled'),
    ])
  })
})
