import { hash } from '@node-rs/argon2'
import { hash as hashByBcrypt } from '@node-rs/bcrypt'
import { expect, it } from 'vitest'
import {
  createPasswords,
  hashPassword,
  isBcryptHash,
  isPassword,
  measureSlowestCheck,
  type Passwords,
} from '#lib/domain/auth/passwords'

it('hashPassword gives each hash a salt', async () => {
  expect(await hashPassword('a password')).not.toBe(await hashPassword('a password'))
})

it.each([
  ['composed', 'decomposed', hashPassword, true],
  ['decomposed', 'composed', hashPassword, true],
  ['decomposed', 'decomposed by another program', (password: string) => hash(password), true],
  ['decomposed wrongly', 'composed', hashPassword, false],
] as const)('isPassword answers for a %s password and the hash of a %s one', async (sent, hashed, hashIt, expected) => {
  const write = (how: string) =>
    `p\u00e4ssw\u00f6rd${how.endsWith('wrongly') ? '!' : ''}`.normalize(how.startsWith('de') ? 'NFD' : 'NFC')
  expect(await isPassword(await hashIt(write(hashed)), write(sent))).toBe(expected)
})

it.each(['2a', '2b', '2y'])('isPassword reads a $%s$ hash of bcrypt', async (version) => {
  const stored = (await hashByBcrypt('pässword 😀', 4)).replace(/^\$2./, `$${version}`)
  expect(isBcryptHash(stored)).toBe(true)
  expect(await isPassword(stored, 'pässword 😀')).toBe(true)
  expect(await isPassword(stored, 'password 😀')).toBe(false)
})

it.each(['03', '13', '31'])('isPassword takes a hash of bcrypt with cost %s for none', async (cost) => {
  const stored = (await hashByBcrypt('a password', 4)).replace('$04$', `$${cost}$`)
  expect(isBcryptHash(stored)).toBe(false)
  expect(await isPassword(stored, 'a password')).toBe(false)
})

it('an answer about a password takes the measured time for each form of it, whatever is stored', async () => {
  expect(await measureSlowestCheck()).toBeGreaterThan(0)
  const checkMs = 100
  const passwords = createPasswords({ checkMs })
  const stored = ['', 'unreadable', undefined, await hashByBcrypt('right', 4), cheapHash]
  for (const sent of ['right', 'wrong', 'wro\u0308ng']) {
    const begunAt = performance.now()
    const askEach = stored.map(async (passwordHash, index) => {
      await passwords.isRight(requester(`account ${index}`), passwordHash, sent)
      return performance.now() - begunAt
    })
    // Timers may end a millisecond early.
    expect(Math.min(...(await Promise.all(askEach)))).toBeGreaterThan((sent.includes('\u0308') ? 2 : 1) * checkMs - 5)
  }
})

const cheapHash = await hash('right', { memoryCost: 8, timeCost: 1 })
const requester = (account: string, address = '192.0.2.1') => ({ account, address })

/** Checks a hash that costs next to nothing. The check waits like any other. */
const check = (passwords: Passwords, account: string, address?: string) =>
  passwords.isRight(requester(account, address), cheapHash, 'right')

it('50 checks of passwords wait for the two under way, and the rest is refused at once', async () => {
  const passwords = createPasswords()
  const settled = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => check(passwords, `account ${index}`)),
  )

  expect(settled.map(({ status }) => status)).toEqual([...Array(52).fill('fulfilled'), ...Array(8).fill('rejected')])
  expect(settled[52]).toMatchObject({ reason: { code: 'UNAVAILABLE', details: { retryAfter: 1 } } })
  expect(await passwords.isRight(requester('a'), await passwords.hash(requester('a'), 'right'), 'right')).toBe(true)
  expect(await passwords.isRight(requester('a'), undefined, 'right')).toBe(false)
})

it('five checks of one account may wait, the other places are for other accounts', async () => {
  const passwords = createPasswords()
  const settled = await Promise.allSettled([
    ...Array.from({ length: 20 }, () => check(passwords, 'flooded')),
    ...Array.from({ length: 12 }, (_, index) => check(passwords, `other ${index}`)),
  ])

  expect(settled.map(({ status }) => status)).toEqual([
    ...Array(7).fill('fulfilled'),
    ...Array(13).fill('rejected'),
    ...Array(12).fill('fulfilled'),
  ])
})

it('each address takes its turn, however many checks of another one wait', async () => {
  const passwords = createPasswords()
  const ended: string[] = []
  const ask = (account: string, address: string) => check(passwords, account, address).then(() => ended.push(address))
  const flood = Array.from({ length: 40 }, (_, index) => ask(`account ${index}`, `2001:db8::${index}`))
  await Promise.all([ask('hers', '192.0.2.7'), ask('his', '192.0.2.8')])

  // Two ran before, and two run beside each of the two other turns.
  expect(ended.length).toBeLessThanOrEqual(8)
  await Promise.all(flood)
})

it('a full queue drops the newest check of the address with the most', async () => {
  const passwords = createPasswords()
  const flood = Array.from({ length: 52 }, (_, index) => check(passwords, `account ${index}`))
  const settled = Promise.allSettled(flood)
  const other = check(passwords, 'hers', '192.0.2.7')

  expect(await other).toBe(true)
  expect((await settled).map(({ status }) => status)).toEqual([...Array(51).fill('fulfilled'), 'rejected'])
  expect((await settled)[51]).toMatchObject({ reason: { code: 'UNAVAILABLE', details: { retryAfter: 1 } } })
})
