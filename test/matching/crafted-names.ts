import { ObjectId } from 'mongodb'
import type { MatchedGame, MatchSubject } from '../../lib/domain/matching/match.ts'

const LONGEST_NAME = 200
const WORDS = 32
const NAMES = 21
const COMPANIES = 30
const RELEASES = 100

const letter = (letters: string, at: number) => letters[at % letters.length] ?? ''

/** A pseudo-random number, the same for the same word of the same name. */
const scatter = (name: number, word: number) => (word * 7_919 + name * 104_729) % 9_973

/** The most costly inputs that a search found. Each makes the word at a place of a name; a game takes 441 comparisons of names. */
const FAMILIES = {
  'long words of one other letter': (name, word) => `abcdef${letter('ghijklmnopqrstuvw', word * 7 + name * 3)}`,
  'long words of two other letters': (name, word) =>
    `abcdefgh${letter('klmnopqrst', word + name)}${letter('klmnopqrst', word * 3 + name * 7)}`,
  'words that may be initials': (name, word) => {
    const drawn = scatter(name, word)
    return `a${letter('bcdefgh', drawn)}${letter('bcdefgh', drawn >> 3)}${letter('bcdefgh', drawn >> 6)}`
  },
  'words of one repeated letter': (name, word) =>
    'a'.repeat(1 + ((word * 3 + name) % 5)) + 'b'.repeat((word + name) % 2),
  'articles that spell initials': (name, word) => ['nnn', 'n', 'and', 'nn', 'aan'][(word * 3 + name) % 5] ?? '',
  'short names beside long ones': (name, word) =>
    name % 3 === 0 && word > 2 ? '' : `${letter('abcdef', word + name)}${letter('xyz', word * name)}q`,
  'words of another script': (name, word) => `абвгде${letter('жзиклмнопрсту', word * 7 + name * 3)}`,
  'two titles in each name': (name, word) =>
    word === WORDS / 4 ? '/' : `abcdef${letter('ghijklmnopqrstuvw', word * 7 + name * 3)}`,
  'figures for letters': (name, word) => `ab${(word + name) % 10}${letter('klmnopqrst', word * 3 + name * 7)}xyz`,
} satisfies Record<string, (name: number, word: number) => string>

export type CraftedFamily = keyof typeof FAMILIES
export const craftedFamilies = Object.keys(FAMILIES) as CraftedFamily[]

function craftName(family: CraftedFamily, name: number): string {
  const words = Array.from({ length: WORDS }, (_, word) => FAMILIES[family](name, word))
  return words.join(' ').trim().slice(0, LONGEST_NAME)
}

const craftNames = (family: CraftedFamily, first: number) =>
  Array.from({ length: NAMES - 1 }, (_, index) => craftName(family, first + 1 + index))
const craftText = (step: number) => Array.from({ length: 600 }, (_, index) => `word${index * step}`).join(' ')

/** Makes the subject that costs most together with `craftGame`. */
export const craftSubject = (family: CraftedFamily): MatchSubject => ({
  name: craftName(family, 0),
  alternativeNames: craftNames(family, 0),
  released: '2001-02-03',
  companies: Array.from({ length: COMPANIES }, (_, index) => `Abcdefg company number ${index}`),
  summary: craftText(1),
})

/** Makes a game that costs most, as approved proposals could make it. */
export function craftGame(family: CraftedFamily, index: number): MatchedGame {
  const first = 101 + index * 31
  return {
    _id: new ObjectId(),
    name: craftName(family, first),
    slug: `crafted-${first}`,
    alternative_names: craftNames(family, first),
    first_release: 1e9,
    release_dates: Array.from({ length: RELEASES }, (_, release) => ({
      date: 1e9 + release * 1e6,
      human: '2001-09-09',
      month: 9,
      year: 2001,
      platformId: new ObjectId(),
      region: 8,
    })),
    companies: Array.from({ length: COMPANIES }, (_, company) => ({
      name: `Zbcdefg company numbre ${company} ${index}`,
      developer: true,
    })),
    summary: craftText(index),
  }
}
