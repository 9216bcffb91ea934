import { expect, it } from 'vitest'
import { ChangePasswordBody, LogInBody, SignUpBody } from '#lib/contract/auth'

const body = (facts: object) => ({ userName: 'reader', email: 'reader@example.org', password: 'long enough', ...facts })
const signUp = (facts: object) => SignUpBody.safeParse(body(facts))

it.each([
  ['abc', 'abc'],
  ['  Trimmed \t', 'Trimmed'],
  ['ｗｉｄｅ　ｏｎｅ', 'wide one'],
  ['A.b-c_9', 'A.b-c_9'],
  ['e\u0301mile', 'émile'],
  ['Жанна', 'Жанна'],
  ['𠮷'.repeat(32), '𠮷'.repeat(32)],
  ['٣٤٥', '٣٤٥'],
  // The letters are of one script, or of scripts that are written together.
  ...['alice_2', 'Ольга', '田中さくらカナ', '한글 Latin', 'さくら Sakura 99', 'اسم', 'नमन'].map((name) => [name, name]),
])('a user name: %j is %j', (given, userName) => {
  expect(signUp({ userName: given })).toMatchObject({ success: true, data: { userName } })
})

it.each([
  'ab',
  '',
  'x'.repeat(33),
  'two  spaces',
  'no@sign',
  'zero\u200bwidth',
  'z\u0338\u0338\u0338algo',
  '$where',
  '👍👍👍',
  'ca\u3164rol',
  '\u115f한글이름',
  'x'.repeat(1_000_000),
])('a user name refuses %.40j', (userName) => {
  expect(signUp({ userName }).success).toBe(false)
})

it.each([
  ['  Reader@Example.ORG\n', 'reader@example.org'],
  ['a+b.c_d%e@mail.example.org', 'a+b.c_d%e@mail.example.org'],
  ['leser@bücher.example', 'leser@bücher.example'],
  ["o'neil@xn--p1ai.xn--p1ai", "o'neil@xn--p1ai.xn--p1ai"],
  [`${'a'.repeat(242)}@example.org`, `${'a'.repeat(242)}@example.org`],
])('an e-mail address: %j is %j', (given, email) => {
  expect(signUp({ email: given })).toMatchObject({ success: true, data: { email } })
})

it.each([
  '',
  'reader',
  'reader@localhost',
  'a@b@example.org',
  'a\u200b@example.org',
  'a\r\nbcc:x@example.org',
  `${'a'.repeat(243)}@example.org`,
  'a'.repeat(1_000_000),
])('an e-mail address refuses %.40j', (email) => {
  expect(signUp({ email }).success).toBe(false)
})

it.each(['8 chars.', ' spaces ', '😀😀😀😀😀😀😀😀', 'x'.repeat(200), '😀'.repeat(200)])(
  'a password takes %.40j as it is',
  (password) => {
    expect(signUp({ password })).toMatchObject({ success: true, data: { password } })
    expect(ChangePasswordBody.safeParse({ currentPassword: 'x', newPassword: password }).success).toBe(true)
  },
)

it.each(['', '7 chars', '😀😀😀😀', 'x'.repeat(201), 'x'.repeat(1_000_000)])('a password refuses %.40j', (password) => {
  expect(signUp({ password }).success).toBe(false)
  expect(ChangePasswordBody.safeParse({ currentPassword: 'x', newPassword: password }).success).toBe(false)
})

it('a password of older rules still signs in', () => {
  expect(LogInBody.safeParse({ email: 'reader@example.org', password: 'old' }).success).toBe(true)
  expect(ChangePasswordBody.safeParse({ currentPassword: 'old', newPassword: 'long enough' }).success).toBe(true)
})

it.each([{ userName: 1 }, { email: null }, { password: {} }])(
  'a sign-up refuses %j with one sentence about the field',
  (facts) => {
    const { error } = signUp(facts)
    expect(error?.issues.map(({ path }) => path)).toEqual([Object.keys(facts)])
    expect(error?.issues[0]?.message).not.toContain('expected')
  },
)

it.each(['аlice', 'αlice', 'Ольгa', '田中Ольга', '한글かな', 'Ꭺlice'])(
  'a user name: the letters of %s mix scripts and are refused',
  (userName) => {
    expect(signUp({ userName }).error?.issues[0]?.message).toBe('The letters of a user name are all of one script')
  },
)
