import { distance } from 'fastest-levenshtein'
import { WORD_SIMILARITY } from '../weights.ts'
import type { TitleToken } from './title-tokens.ts'
import { isStopword, ROMANS } from './title-words.ts'

const LONGEST_KEPT = 3
/** In words of this length a different letter is mostly a slip. */
const LONG = 8
const FIGURE = /\d/
/** The shortest word with a figure for a letter: `R4ge`. `2k1` is no `2kx`. */
const SHORTEST_FIGURED = 4
/** The number of `FFVII`. */
const ROMAN_END = /[ivx]+$/

const VARIES = /[ou][uoh]|wo$|([a-z])\1/

/** Unifies long vowels and other spellings of romanised words. */
const roughly = (word: string) =>
  word
    .replace(/ou|oh(?![aeiou])|oo/g, 'o')
    .replace(/uu/g, 'u')
    .replace(/wo$/, 'o')
    .replace(/([a-z])\1/g, '$1')

/** True when two words are one, romanised by two rules. */
export const areRoughlyEqual = (a: string, b: string) =>
  a === b || ((VARIES.test(a) || VARIES.test(b)) && roughly(a) === roughly(b))

function isSwap(a: string, b: string): boolean {
  let at = 0
  while (a[at] === b[at]) at++
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}

const INNER_FIGURE = /^([a-z]+)(\d)([a-z]+)$/

/** Reads the figure in a word as each vowel: `thi4f`. */
export const readFigures = (word: string): string[] =>
  INNER_FIGURE.test(word) ? [...'aeio'].map((vowel) => word.replace(INNER_FIGURE, `$1${vowel}$3`)) : []

/** Finds the figure by which one word differs from another, or null. */
export function findFigure(word: string, other: string): string | null {
  if (word.length !== other.length || word.length < SHORTEST_FIGURED || FIGURE.test(other)) return null
  const [, start = '', figure = null, end = ''] = INNER_FIGURE.exec(word) ?? []
  return other.startsWith(start) && other.endsWith(end) ? figure : null
}

/**
 * Compares two words. First letter and length distinguish most words before the expensive comparisons. In a word with
 * figures every sign counts: `2K1`, `2K10`.
 */
function compareWords(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  if (shorter < 3 || Math.abs(a.length - b.length) > 2) return 0
  const isSameStart = a[0] === b[0]
  if (!isSameStart && shorter < 7) return 0
  const figure = findFigure(a, b) ?? findFigure(b, a)
  if (figure !== null) return figure < '2' ? WORD_SIMILARITY.figure : WORD_SIMILARITY.figureOrNumber
  if (FIGURE.test(a) || FIGURE.test(b) || a.replace(ROMAN_END, '') === b.replace(ROMAN_END, '')) return 0
  if (a === `${b}s` || b === `${a}s`) return WORD_SIMILARITY.plural
  if (isSameStart && a.length + b.length > 6 && areRoughlyEqual(a, b)) return WORD_SIMILARITY.romanised
  const edits = distance(a, b)
  if (edits === 2 && isSwap(a, b)) return WORD_SIMILARITY.oneEdit
  // A short word with a wrong letter is another word, as `Gold` and `Golf` are. One with a missing letter is a slip: `Quak`.
  if (shorter < 4 || (edits === 1 && shorter < 5 && a.length === b.length)) return 0
  if (edits === 1) return a.length === b.length && shorter < LONG ? WORD_SIMILARITY.shortWord : WORD_SIMILARITY.oneEdit
  if (edits > 2 || shorter < LONG - 1) return 0
  return shorter > LONG ? WORD_SIMILARITY.twoEdits : WORD_SIMILARITY.shortWord
}

/** True for the `R` of `R6`, which is `Rainbow Six`. Only the first word of a title becomes one letter. */
const isFirstLetter = (a: TitleToken, b: TitleToken) => a.isFirst && a.text.length === 1 && a.text === b.text[0]

/** The sides whose words may be initials of words of the other side. */
export interface Abbreviating {
  left: boolean
  right: boolean
}

/** True when one word alone is short for another. */
const isShortFor = (a: TitleToken, b: TitleToken) => a.text === b.initials || isFirstLetter(a, b)

export function compareTokens(a: TitleToken, b: TitleToken, shortened: Abbreviating): number {
  if (a.text === b.text) return 1
  const [valueOfA, valueOfB] = [a.value ?? a.text, b.value ?? b.text]
  if (valueOfA === valueOfB)
    return a.text === 'x' || b.text === 'x' ? WORD_SIMILARITY.letterX : WORD_SIMILARITY.numberWord
  if (a.kind === 'number' || b.kind === 'number') return 0
  if ((shortened.left && isShortFor(a, b)) || (shortened.right && isShortFor(b, a))) return WORD_SIMILARITY.initials
  return compareWords(a.text, b.text)
}

/**
 * Lists how many tokens, from `at` on, give the text by their first letters, with or without stopwords and with a number at
 * the end in any figures. The function keeps reached places of the text, so the work grows with the tokens and not with
 * the ways to read them.
 */
export function countInitials(text: string, tokens: readonly TitleToken[], at: number, most: number): number[] {
  const counts: number[] = []
  let reached: ReadonlySet<number> = new Set([0])
  for (const [index, token] of tokens.slice(at, at + most).entries()) {
    const before = reached
    reached = readInitials(text, before, token)
    const isEnd = token.kind === 'number' ? endsInNumber(text, before, token.text) : reached.has(text.length)
    if (isEnd) counts.push(index + 1)
    if (reached.size === 0) break
  }
  return counts
}

const endsInNumber = (text: string, reached: ReadonlySet<number>, number: string): boolean =>
  [number, ROMANS[Number(number) - 1] ?? number].some(
    (figures) => text.endsWith(figures) && reached.has(text.length - figures.length),
  )

/** Advances the reached places of a text by the spellings of one more token. */
function readInitials(
  text: string,
  reached: ReadonlySet<number>,
  { text: word, kind, initials }: TitleToken,
): Set<number> {
  const spellings = [kind === 'number' ? word : (word[0] ?? '')]
  // `CnC` for `Command & Conquer`.
  if (word === 'and') spellings.push('n')
  // `SMRPG`: an abbreviation stays whole.
  if (word.length <= LONGEST_KEPT) spellings.push(word)
  if (initials !== undefined) spellings.push(initials)
  const next = new Set(isStopword(word) ? reached : [])
  for (const from of reached) {
    for (const letters of spellings) {
      if (letters !== '' && text.startsWith(letters, from)) next.add(from + letters.length)
    }
  }
  return next
}
