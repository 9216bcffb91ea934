import { expect, test } from 'vitest'
import { buildNameKeys, fold, ignoreCase, normalise, searchWords, splitWords } from '#lib/domain/names/normalise-name'
import games from '../../../../lib/ops/seed/data/games.json' with { type: 'json' }

test.each([
  ['Pokémon Red', 'pokemon red'],
  ['Poke\u0301mon  Red ', 'pokemon red'],
  ['ÅNGSTRÖM', 'angstrom'],
  ['Final Fantasy Ⅶ', 'final fantasy vii'],
  ['ＳＵＰＥＲ Mario', 'super mario'],
  ['Half-Life 2: Episode One', 'half life 2 episode one'],
  ["Assassin's Creed", 'assassins creed'],
  ['Assassin’s Creed', 'assassins creed'],
  ['Ratchet & Clank', 'ratchet and clank'],
  ['Tetris® Effect™', 'tetris effect'],
  ['Ведьмак IV', 'vedmak iv'],
  ['東京', 'dongjing'],
  ['젤다의 전설', 'jeldaui jeonseol'],
])('normalise: %s reads %s', (name, key) => expect(normalise(name)).toBe(key))

test('normalise: a name of signs alone keeps them, without invisible characters', () => {
  expect(fold('!!!')).toBe('')
  expect(normalise(' !!!  ? ')).toBe('!!! ?')
  expect(normalise('!\u0000\u200b!')).toBe('! !')
})

test('normalise is bounded, and cuts no surrogate pair into an error', () => {
  expect(normalise('a'.repeat(10_000))).toHaveLength(200)
  expect(normalise(`${'!'.repeat(199)}😀`).length).toBeLessThanOrEqual(200)
  expect(() => normalise('\ud800')).not.toThrow()
})

test.each(['Pokémon', 'Ōkami', 'ポケットモンスター', 'がばいばあちゃん', '젤다의 전설', 'Việt Nam', 'Ёлки', '!é!'])(
  'the keys of %s are the same, however its signs are composed',
  (name) => {
    expect(buildNameKeys({ name: name.normalize('NFD') })).toEqual(buildNameKeys({ name: name.normalize('NFC') }))
    expect(ignoreCase(name.normalize('NFD'))).toBe(ignoreCase(name.normalize('NFC')))
  },
)

test('searchWords is bounded, and a repeated word takes one place', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `word${index}`)
  const words = searchWords(['word0 word0', ...names])
  expect(words).toHaveLength(300)
  expect(new Set(words).size).toBe(300)
})

test('buildNameKeys leaves out an alternative name that is the name', () => {
  const keys = buildNameKeys({ name: 'Ōkami', alternatives: ['Okami', '大神', '大神'] })
  expect(keys.nameKey).toBe('okami')
  expect(keys.alternativeKeys).toEqual(['dashen'])
})

test('buildNameKeys: every beginning of a name finds it', () => {
  for (const { name, alternative_names = [] } of games) {
    const stored = searchWords([name, ...alternative_names])
    for (const text of [name, ...alternative_names]) {
      for (let end = 2; end <= text.length; end += 1) {
        const searched = splitWords(text.slice(0, end)).filter((word) => word !== '')
        expect(searched.every((word) => stored.some((storedWord) => storedWord.startsWith(word)))).toBe(true)
      }
    }
  }
})
