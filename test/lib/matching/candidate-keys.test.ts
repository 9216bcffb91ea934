import { describe, expect, test } from 'vitest'
import { buildCandidateKeys, buildProbes } from '../../../lib/matching/candidate-keys.ts'
import { analyseTitle } from '../../../lib/matching/titles/title-forms.ts'

describe('buildCandidateKeys', () => {
  test('the whole title, its parts, its initials and its pairs of words', () => {
    expect(buildCandidateKeys('The Elder Scrolls V: Skyrim', null)).toEqual([
      '=5dkkllmrrrsss',
      '-5dkllrrss',
      '-kmrs',
      '~tes5s',
      '~es5s',
      '~tes5',
      '~es5',
      '+dlr klrss',
      '+klrss 5',
    ])
  })

  test('of all names, each once', () => {
    const keys = buildCandidateKeys('Okami', ['Ōkami', 'Great God', null, 5])

    expect(keys).toEqual(['=okami', '=dggrt', '~gg', '+grt god'])
  })

  test('are few and short, however many and long the names', () => {
    const keys = buildCandidateKeys(
      'Word '.repeat(80),
      Array.from({ length: 500 }, (_, index) => `Name ${index}: Sub ${index}`),
    )

    expect(keys.length).toBeLessThanOrEqual(80)
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(101)
  })

  test.each([null, undefined, '', '!!!'])('none of what has no words: %s', (name) => {
    expect(buildCandidateKeys(name, null).filter((key) => key !== '=')).toEqual([])
  })
})

describe('what is asked for meets what is stored', () => {
  const meet = (subject: string, stored: string) => {
    const { words: _, ...asked } = buildProbes(analyseTitle(subject))
    const keys = new Set(buildCandidateKeys(stored, []))
    return Object.values(asked)
      .flat()
      .some((key) => keys.has(key))
  }

  test.each([
    ['the witcher 3 wild hunt', 'The Witcher 3: Wild Hunt'],
    ['Skyrim', 'The Elder Scrolls V: Skyrim'],
    ['The Elder Scrolls V: Skyrim', 'Skyrim'],
    ['Warcraft III', 'Warcraft III: Reign of Chaos'],
    ['GTA 5', 'Grand Theft Auto V'],
    ['ffvii', 'Final Fantasy VII'],
    ['KotOR', 'Star Wars: Knights of the Old Republic'],
    ['god of war ps4', 'God of War'],
    ['Civilization 5', "Sid Meier's Civilization V"],
    ['Final Fantasy 10', 'Final Fantasy X'],
    ['Skyrm', 'Skyrim'],
    ['Baldus Gate', "Baldur's Gate"],
    ['Overlwatch', 'Overwatch'],
    ['Super Mario Wolrd', 'Super Mario World'],
    ["Yoshi's Island: Super Mario World 2", "Super Mario World 2: Yoshi's Island"],
    ['Bayonneta 2', 'Bayonetta 2'],
    ['Kara no Shojo', 'Kara no Shoujo'],
    ['Horizon - Complete Edition', 'Horizon'],
    ['젤다의 전설 2', '젤다의 전설 II'],
  ])('%s finds %s', (subject, stored) => expect(meet(subject, stored)).toBe(true))

  test('and not what is far from it', () => expect(meet('Tetris', 'Doom')).toBe(false))
})
