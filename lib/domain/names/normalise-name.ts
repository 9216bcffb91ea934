import anyAscii from 'any-ascii'
import type { NameKeys } from '../../infrastructure/db/collections/name-keys.ts'

const MAX_NAME_LENGTH = 400
const MAX_KEY_LENGTH = 200
const MAX_ALTERNATIVES = 100
const MAX_WORDS = 300

export const MARKS = /[™®©℠]/g
export const PLAIN = /^[ -~]*$/
/** Signs inside a word: `Assassin's` is one word, and any-ascii transliterates some letters with them. */
const INNER = /['`"]/g

/** Spaces, control characters and other invisible characters. */
const UNSEEN = /[\s\p{C}]+/gu

/** Unifies case and the composition of accents, to compare whole names. */
export const ignoreCase = (name: string): string => name.slice(0, MAX_NAME_LENGTH).normalize('NFC').toLowerCase()

/** Transliterates a text of any script to a-z, 0-9 and single spaces; empty when no character has a transliteration. */
export function fold(text: string): string {
  const whole = text.slice(0, MAX_NAME_LENGTH)
  return (PLAIN.test(whole) ? whole : anyAscii(whole.replace(MARKS, '').normalize('NFKC')))
    .toLowerCase()
    .replace(INNER, '')
    .replaceAll('&', ' and ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .slice(0, MAX_KEY_LENGTH)
    .trimEnd()
}

/**
 * Converts a name to the form that comparisons use: lower case, transliterated, without accents, punctuation as single
 * spaces. A name of signs alone keeps them, so that it stays distinct and a search finds it.
 */
export function normalise(text: string): string {
  return fold(text) || text.slice(0, MAX_KEY_LENGTH).normalize('NFKC').toLowerCase().replace(UNSEEN, ' ').trim()
}

const SCRIPT_RUNS = /[\p{sc=Katakana}ー]+|\p{sc=Hiragana}+|\p{sc=Han}+|[^\p{sc=Katakana}ー\p{sc=Hiragana}\p{sc=Han}]+/gu

/** Puts spaces between the scripts of Japanese, which writes none: a word usually begins where the script changes. */
const spaced = (text: string) => (text.slice(0, MAX_NAME_LENGTH).normalize('NFC').match(SCRIPT_RUNS) ?? []).join(' ')

/** Splits a search text into words, each the beginning of a word of a name. */
export function splitWords(text: string): string[] {
  return normalise(spaced(text)).split(' ')
}

/** Lists the words that find a name: its words, and as one word those that signs or scripts divide (`spiderman`). */
function findableWords(name: string): string[] {
  const joined = name.split(/\s+/).map((part) => fold(part).replaceAll(' ', ''))
  return [...normalise(name).split(' '), ...splitWords(name), ...joined].filter((word) => word !== '')
}

/** Lists the words of all names of an entry, each once. */
export function searchWords(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(findableWords))].slice(0, MAX_WORDS)
}

/** Lists the texts among the first members of a list, which another program may have stored as null or with nulls. */
export const stringsIn = (list: unknown, most = Number.POSITIVE_INFINITY): string[] =>
  Array.isArray(list) ? list.slice(0, most).filter((text) => typeof text === 'string') : []

interface Names {
  name: string | null | undefined
  alternatives?: readonly (string | null)[] | null | undefined
  /** Better known entries come first among equal matches. */
  votes?: number
  /** In Unix seconds. Older entries come first among equally known ones. */
  released?: number | null
}

const FIRST_YEAR_SECONDS = Date.UTC(1950, 0) / 1_000
const LAST_YEAR_SECONDS = Date.UTC(2200, 0) / 1_000
/** The weight of the release, below that of one letter of the name. */
const MAX_FOR_AGE = 0.4

/** Weighs the release: 0.4 for the oldest, 0 for the latest and for an unknown one. */
function weighAge(released: number | null): number {
  if (typeof released !== 'number') return 0
  const part = (LAST_YEAR_SECONDS - released) / (LAST_YEAR_SECONDS - FIRST_YEAR_SECONDS)
  return Math.min(Math.max(part, 0), 1) * MAX_FOR_AGE
}

/** Derives the keys of an entry, which every write of a name stores. */
export function buildNameKeys({ name, alternatives, votes = 0, released = null }: Names): Required<NameKeys> {
  const mainNames = stringsIn([name])
  const nameKey = normalise(mainNames.join())
  const others = stringsIn(alternatives).slice(0, MAX_ALTERNATIVES)

  return {
    nameKey,
    alternativeKeys: [...new Set(others.map(normalise))].filter((key) => key !== '' && key !== nameKey),
    searchWords: searchWords([...mainNames, ...others]),
    searchRank: votes * 1_000 - Math.min(nameKey.length, 999) + weighAge(released),
  }
}
