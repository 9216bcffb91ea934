import { describe, expect, test } from 'vitest'
import { compareTitles } from '../../../../lib/matching/titles/compare-titles.ts'
import { analyseTitle } from '../../../../lib/matching/titles/title-forms.ts'
import { TITLE_SIGNALS, WEIGHTS } from '../../../../lib/matching/weights.ts'

type Circumstances = Parameters<typeof compareTitles>[2]

const compare = (a: string, b: string, circumstances?: Circumstances) =>
  compareTitles(analyseTitle(a), analyseTitle(b), circumstances)

const SURE = 0.9
/** From here on a title speaks for the same game. */
const { neutral: FOR } = WEIGHTS.title
const DOUBTFUL = 0.5

describe('surely the same', () => {
  test.each([
    ['Nier:Automata', 'NieR: Automata'],
    ['Legend of Zelda, The', 'The Legend of Zelda'],
    ['Spiderman 2', 'Spider-Man 2'],
    ['Deadspace', 'Dead Space'],
    ['Fallout 3: Game of the Year Edition', 'Fallout 3'],
    ['Final Fantasy I', 'Final Fantasy'],
    ["Sid Meier's Civilization V", 'Civilization 5'],
    ['FF7', 'Final Fantasy VII'],
    ['FFVII', 'Final Fantasy VII'],
    ['CS:GO', 'Counter-Strike: Global Offensive'],
    ['SMRPG', 'Super Mario RPG'],
    ['LBP2', 'LittleBigPlanet 2'],
    ['C&C: Red Alert', 'Command & Conquer: Red Alert'],
    ['R6: Vegas', 'Rainbow Six: Vegas'],
    ['Left Four Dead', 'Left 4 Dead'],
    ['The Last of Us 2', 'The Last of Us Part II'],
    ['Hollow Kinght', 'Hollow Knight'],
    ['Bayonneta', 'Bayonetta'],
    ['Kara no Shōjo', 'Kara no Shoujo'],
    ["Yoshi's Island: Super Mario World 2", "Super Mario World 2: Yoshi's Island"],
    ['Ōkami (Europe)', 'Okami'],
  ])('%s is %s', (a, b) => {
    expect(compare(a, b)).toBeGreaterThanOrEqual(SURE)
    expect(compare(b, a)).toBeGreaterThanOrEqual(SURE)
  })
})

describe('likely the same', () => {
  test.each([
    ['Skyrim', 'The Elder Scrolls V: Skyrim'],
    ["Assassin's Creed: Black Flag", "Assassin's Creed IV: Black Flag"],
    ['zelda ocarina of time', 'The Legend of Zelda: Ocarina of Time'],
    ['god of war ps4', 'God of War'],
    ['ratchet clank 2 going commando', 'Ratchet & Clank: Going Commando'],
    ['Final Fantasy 10', 'Final Fantasy X'],
  ])('%s is %s', (a, b) => expect(compare(a, b)).toBeGreaterThan(FOR))
})

describe('not the same', () => {
  test.each([
    ['Final Fantasy VII', 'Final Fantasy VIII'],
    ['Doom', 'Doom II: Hell on Earth'],
    ['1942', '1943'],
    ['F1 2019', 'F1 2020'],
    ['Half-Life 2: Episode One', 'Half-Life 2: Episode Two'],
    ['Pokémon Red', 'Pokémon Blue'],
    ['Pokémon Gold Version', 'Pokémon Silver Version'],
    ['Pokémon X', 'Pokémon Y'],
    ['Mario Kart DS', 'Mario Kart Wii'],
    ['Batman: Arkham City', 'Batman: Arkham Knight'],
    ['Persona 5 Royal', 'Persona 5'],
    ['Dark Souls Remastered', 'Dark Souls'],
    ['Mass Effect Trilogy', 'Mass Effect'],
    ['StarCraft: Brood War', 'StarCraft'],
    ['Primal Rage', 'Rage'],
    ['Tales from the Borderlands', 'Borderlands'],
    ['Night in the Woods', 'Light in the Woods'],
    ['N+', 'N'],
    ['!!!', '???'],
    ['!!!', 'Doom'],
    ['The', 'And'],
    ['The', 'The Sims'],
  ])('%s is not %s', (a, b) => expect(compare(a, b)).toBeLessThan(DOUBTFUL))
})

test('a subtitle left out is likelier the same game than one that is added', () => {
  expect(compare('Sekiro', 'Sekiro: Shadows Die Twice')).toBeGreaterThan(compare('Sekiro: Shadows Die Twice', 'Sekiro'))
  expect(compare('Hitman 2', 'Hitman 2: Silent Assassin')).toBe(TITLE_SIGNALS.leftOutPartNumbered)
})

test('the number one goes where it stands alone', () => {
  expect(compare('Final Fantasy I & II', 'Final Fantasy II')).toBeLessThan(DOUBTFUL)
  expect(compare("Tony Hawk's Pro Skater 1 + 2", "Tony Hawk's Pro Skater 2")).toBeLessThan(DOUBTFUL)
})

test('abbreviations are no slips of each other, nor of words', () => {
  for (const [a, b] of [
    ['FFVII', 'FFVI'],
    ['SSBM', 'SSB'],
    ['SotC', 'SoC'],
    ['Dota 2', 'DOA2'],
    ['Out', 'Oot'],
  ] as const)
    expect(compare(a, b), `${a} and ${b}`).toBeLessThan(DOUBTFUL)
})

test('a word with figures is another when one of them is', () => {
  expect(compare('NBA 2K1', 'NBA 2K10')).toBeLessThan(DOUBTFUL)
  expect(compare('NBA 2K20', 'NBA 2K21')).toBeLessThan(DOUBTFUL)
})

test('a year in the title is told apart from a number by the years of the other game', () => {
  const released = (left: number[], right: number[]) => ({ years: { left: new Set(left), right: new Set(right) } })

  expect(compare('Tomb Raider 2013', 'Tomb Raider', released([], [2013]))).toBe(TITLE_SIGNALS.ownYear)
  expect(compare('Tomb Raider', 'Tomb Raider 2013', released([2013], []))).toBe(TITLE_SIGNALS.ownYear)
  expect(compare('Tomb Raider 2013', 'Tomb Raider')).toBe(TITLE_SIGNALS.sequel)
  expect(compare('Unreal Tournament', 'Unreal Tournament 2004', released([], [2004]))).toBe(TITLE_SIGNALS.sequel)
  expect(compare('Unreal Tournament 2004', 'Unreal Tournament', released([2004], [1999]))).toBe(TITLE_SIGNALS.sequel)
  expect(compare('FIFA 2013', 'FIFA 2014', released([2013, 2014], [2013, 2014]))).toBe(TITLE_SIGNALS.differentNumbers)
})

test('the name of a maker before the title is left out, and nowhere else', () => {
  const makers = () => new Set(['disney', 'crystal'])

  expect(compare('Disney Aladdin', 'Aladdin', { makers })).toBe(TITLE_SIGNALS.brand)
  expect(compare('Disney Aladdin', 'Aladdin')).toBeLessThan(DOUBTFUL)
  expect(compare('Pokémon Crystal', 'Pokémon', { makers })).toBe(TITLE_SIGNALS.moreWordsAtEnd)
  expect(compare("Baldur's Gate", "Stein's Gate")).toBeLessThan(DOUBTFUL)
  expect(compare("Tony Hawk's Underground 2", 'Need for Speed: Underground 2')).toBeLessThan(DOUBTFUL)
})

test('names of 400 characters are compared in bounded time', () => {
  const long = Array.from({ length: 80 }, (_, index) => `w${String.fromCharCode(97 + (index % 26))}rd`).join(' ')

  expect(compare(long, `${long.slice(0, 150)} other`)).toBeGreaterThanOrEqual(0)
  expect(compare(long, long)).toBe(1)
})
