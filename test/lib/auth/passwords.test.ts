import { describe, expect, it } from 'vitest'
import { createPasswords, hashPassword, isPassword } from '../../../lib/auth/passwords.ts'

describe('isPassword', () => {
  it('knows the password that was hashed, each time with another salt', async () => {
    const [one, two] = await Promise.all([hashPassword('pässword 😀'), hashPassword('pässword 😀')])

    expect(one).not.toBe(two)
    expect(await isPassword(one, 'pässword 😀')).toBe(true)
    expect(await isPassword(one, 'password 😀')).toBe(false)
  })

  it.each([undefined, '', 'none', '$argon2id$', '$2b$10$abcdefghijklmnopqrstuv'])(
    'is no for the hash %s',
    async (hash) => {
      expect(await isPassword(hash, 'password')).toBe(false)
      expect(await isPassword(hash, '')).toBe(false)
    },
  )
})

describe('hashing for requests', () => {
  it('lets 50 wait for the two under way, and refuses the rest at once', async () => {
    const passwords = createPasswords()
    const settled = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash('a password')))

    expect(settled.map(({ status }) => status)).toEqual([...Array(52).fill('fulfilled'), ...Array(8).fill('rejected')])
    expect(settled[52]).toMatchObject({ reason: { code: 'UNAVAILABLE', details: { retryAfter: 1 } } })
    expect(await passwords.isRight(await passwords.hash('right'), 'right')).toBe(true)
    expect(await passwords.isRight(undefined, 'right')).toBe(false)
  })
})
