import { describe, expect, it } from 'vitest'
import { hashPassword, isPassword } from '../../../lib/auth/passwords.ts'

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
