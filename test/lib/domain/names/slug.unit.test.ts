import { expect, test } from 'vitest'
import { toSlug } from '#lib/domain/names/insert-with-slugs'

test.each([
  ['The Legend of Zelda', 'the-legend-of-zelda'],
  ['Pokémon: Red & Blue!', 'pokemon-red-and-blue'],
  ["Baldur's Gate 3", 'baldurs-gate-3'],
  ['東京', 'dongjing'],
  ['한국어', 'hangugeo'],
  ['', 'untitled'],
  ['!!!', 'untitled'],
  ['\u200b', 'untitled'],
])('%s becomes %s', (name, slug) => expect(toSlug(name)).toBe(slug))

test.each(['Search', ' search ', 'Ｓｅａｒｃｈ'])('%s is a path, so it gets a number', (name) => {
  expect(toSlug(name)).toBe('search-2')
  expect(toSlug(name, new Set(['search-2']))).toBe('search-3')
})

test('a slug that reads like an id gets a number', () => {
  expect(toSlug('DEADBEEF'.repeat(3))).toBe(`${'deadbeef'.repeat(3)}-2`)
  expect(toSlug('1'.repeat(23))).toBe('1'.repeat(23))
})

test('a taken slug gets the first free number', () => {
  expect(toSlug('Doom', new Set(['doom', 'doom-3']))).toBe('doom-2')
})

test('a slug has at most 120 letters and ends with no dash', () => {
  expect(toSlug('ab '.repeat(100))).toMatch(/^[a-z-]{1,120}$/)
  expect(toSlug('ab '.repeat(100))).not.toMatch(/-$/)
})
