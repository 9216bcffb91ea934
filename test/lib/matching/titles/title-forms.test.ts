import { describe, expect, test } from 'vitest'
import { analyseTitle } from '../../../../lib/matching/titles/title-forms.ts'

const textOf = (title: string) => analyseTitle(title).text
const classesOf = (title: string) => analyseTitle(title).tokens.map(({ text, kind }) => `${text} ${kind}`)

describe('equal text', () => {
  test.each([
    ['POKÉMON  red', 'Pokemon Red'],
    ['Ｓｔｅｉｎｓ；Ｇａｔｅ', 'Steins;Gate'],
    ['Final Fantasy Ⅶ', 'Final Fantasy 7'],
    ['Final Fantasy VII', 'final fantasy 7'],
    ['Half-Life2', 'Half-Life 2'],
    ['HaloIV', 'Halo 4'],
    ['S.T.A.L.K.E.R.: Shadow of Chernobyl', 'STALKER: Shadow of Chernobyl'],
    ['Super Smash Brothers', 'Super Smash Bros.'],
    ['Ratchet & Clank', 'Ratchet and Clank'],
    ['Street Fighter III: Third Strike', 'Street Fighter III: 3rd Strike'],
    ['FIFA 09', 'FIFA 2009'],
    ['Half-Life 2: Ep. 1', 'Half-Life 2: Episode One'],
    ['N++', 'N Plus Plus'],
    ['1080° Snowboarding', '1080 Snowboarding'],
    ['SimCity 3k', 'SimCity 3000'],
    ['D&D: Heroes', 'DD: Heroes'],
    ['Тетрис', 'Tetris'],
    ['ドラゴンクエストⅢ', 'ドラゴンクエスト 3'],
    ['젤다의 전설 2', '젤다의 전설 II'],
  ])('%s and %s', (a, b) => expect(textOf(a)).toBe(textOf(b)))

  test.each([
    ['Final Fantasy VII', 'Final Fantasy VIII'],
    ['N+', 'N'],
    ['Mega Man X', 'Mega Man 10'],
    ['FIFA 9', 'FIFA 09'],
    ['V Rising', '5 Rising'],
    ['ドラゴンクエスト3', 'ドラゴンクエスト4'],
  ])('but not %s and %s', (a, b) => expect(textOf(a)).not.toBe(textOf(b)))
})

describe('numbers', () => {
  test('V and I count at the end of a part, X is never sure, and the first word is a word', () => {
    expect(classesOf('Grand Theft Auto V')).toContain('5 number')
    expect(classesOf('Grisaia I: One')).toContain('1 number')
    expect(classesOf('Mega Man X')).toContain('x word')
    expect(classesOf('XIII')).toEqual(['xiii word'])
    expect(classesOf('X-Men')).toEqual(['x word', 'men word'])
  })

  test('what may be one keeps the number beside the word', () => {
    const numbersIn = (title: string) => analyseTitle(title).tokens.map(({ value }) => value)

    expect(numbersIn('Final Fantasy X')).toEqual([undefined, undefined, '10'])
    expect(numbersIn('Metal Gear Solid V The Phantom Pain')[3]).toBe('5')
    expect(numbersIn('It Takes Two')).toEqual([undefined, undefined, '2'])
    expect(numbersIn('Twelve Minutes')).toEqual(['12', undefined])
  })

  test('a year keeps all its figures for comparison with a date', () => {
    expect(analyseTitle('Tomb Raider 2013').tokens.at(-1)).toMatchObject({ text: '13', year: 2013, kind: 'number' })
    expect(analyseTitle('Anno 1602').tokens.at(-1)).toMatchObject({ text: '1602', kind: 'number' })
    expect(analyseTitle('Prey (2017)')).toMatchObject({ year: 2017, text: 'prey' })
    expect(analyseTitle('Prey (2017 video game)')).toMatchObject({ year: 2017, text: 'prey' })
    expect(analyseTitle('(2017)')).toMatchObject({ text: '17' })
  })
})

describe('parts', () => {
  test.each([
    ['The Elder Scrolls V: Skyrim', 2],
    ['Batman: Arkham City - Game of the Year Edition', 3],
    ['Ever17 -the out of infinity-', 2],
    ['planetarian ~Chiisana Hoshi no Yume~', 2],
    ['Half-Life', 1],
    ['Sekiro (隻狼)', 2],
  ])('%s has %i', (title, parts) => expect(analyseTitle(title).parts).toBe(parts))

  test('brackets are asides, and a whole title in brackets is none', () => {
    expect(analyseTitle('Ōkami (Europe)').tokens.map(({ isAside }) => isAside)).toEqual([false, true])
    expect(analyseTitle('[Redacted]').tokens.map(({ isAside }) => isAside)).toEqual([false])
  })
})

describe('what a word is', () => {
  test('articles and small words', () => {
    expect(classesOf('The Legend of Zelda')).toEqual(['the stopword', 'legend word', 'of stopword', 'zelda word'])
  })

  test('editions of the same game, wherever they end', () => {
    expect(classesOf('Fallout 3: Game of the Year Edition').slice(2)).toEqual(
      ['game', 'of', 'the', 'year', 'edition'].map((word) => `${word} neutral`),
    )
    expect(classesOf('Oblivion GOTY')).toEqual(['oblivion word', 'goty neutral'])
    expect(classesOf('Tropico 3: Gold').at(-1)).toBe('gold neutral')
    expect(classesOf('Elden Ring Digital Deluxe Edition').slice(2)).toEqual([
      'digital neutral',
      'deluxe neutral',
      'edition neutral',
    ])
    expect(classesOf('Knack: Day 1 Edition').slice(1)).toEqual(['day neutral', '1 neutral', 'edition neutral'])
    expect(classesOf('Gran Turismo 3 (Greatest Hits)').slice(-2)).toEqual(['greatest neutral', 'hits neutral'])
  })

  test('later editions, named ones, and versions of their derivative', () => {
    expect(classesOf('Mafia: Definitive Edition').slice(1)).toEqual(['definitive reissue', 'edition reissue'])
    expect(classesOf("Deus Ex: Director's Cut").slice(2)).toEqual(['directors reissue', 'cut reissue'])
    expect(classesOf('Dark Souls: Prepare to Die Edition').at(-1)).toBe('edition namedEdition')
    expect(classesOf('Grim Fandango Remastered').at(-1)).toBe('remastered derivative')
    expect(classesOf('Resident Evil 2 Remake').at(-1)).toBe('remake derivative')
    expect(classesOf('Gran Turismo 4 Prologue').at(-1)).toBe('prologue derivative')
  })

  test('the same words are a title where no edition follows', () => {
    expect(classesOf('Pokémon Gold')).toEqual(['pokemon word', 'gold word'])
    expect(classesOf('Pokémon Gold Version')).toEqual(['pokemon word', 'gold word', 'version neutral'])
    expect(classesOf('Mario Kart 8 Deluxe').at(-1)).toBe('deluxe namedEdition')
    expect(classesOf('Persona 5 Royal').at(-1)).toBe('royal word')
    expect(classesOf('Ultimate Alliance')).toEqual(['ultimate word', 'alliance word'])
    expect(classesOf('Prologue')).toEqual(['prologue word'])
  })

  test('platforms at the end, and parts of a series', () => {
    expect(classesOf('God of War PS4').slice(-2)).toEqual(['ps platform', '4 platform'])
    expect(classesOf('Tetris (Game Boy)').slice(-2)).toEqual(['game platform', 'boy platform'])
    expect(classesOf('Switch Sports')).toEqual(['switch word', 'sports word'])
    expect(classesOf('Deltarune: Chapter 2').slice(1)).toEqual(['chapter instalment', '2 number'])
  })

  test("a maker's name before the title", () => {
    const brandOf = (title: string) =>
      analyseTitle(title)
        .tokens.filter(({ isBrand }) => isBrand)
        .map(({ text }) => text)

    expect(brandOf("Sid Meier's Civilization V")).toEqual(['sid', 'meiers'])
    expect(brandOf('Marvel’s Spider-Man')).toEqual(['marvels'])
    expect(brandOf("Link's")).toEqual([])
    expect(brandOf('Civilization V')).toEqual([])
  })
})

describe('the core', () => {
  test('leaves out small words, editions and the number one', () => {
    expect(analyseTitle('The Witcher 3: Wild Hunt - Game of the Year Edition').core).toBe('witcher3wildhunt')
    expect(analyseTitle('Final Fantasy I').core).toBe('finalfantasy')
  })

  test('is never empty while the title has a word', () => expect(analyseTitle('The').core).toBe('the'))
})

describe('odd titles', () => {
  test('of nothing but signs keep them', () => {
    expect(textOf('!!!')).toBe('!!!')
    expect(textOf('!!!')).not.toBe(textOf('???'))
    expect(textOf('')).toBe('')
  })

  test.each([
    ['long', 'Word '.repeat(80)],
    ['long and in one', 'a'.repeat(400)],
    ['of spaces', ' '.repeat(400)],
    ['of apostrophes', "a' ".repeat(130)],
    ['of brackets', '('.repeat(400)],
    ['of dashes', ' - '.repeat(130)],
    ['of dotted letters', 'A.'.repeat(200)],
    ['of regex characters', '.*+?^$(){}|[]\\'],
    ['of half a character', '\ud800 \udfff'],
  ])('%s is bounded', (_, title) => {
    const { tokens } = analyseTitle(title)

    expect(tokens.length).toBeLessThanOrEqual(32)
  })
})
