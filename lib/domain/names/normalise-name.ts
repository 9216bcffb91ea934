import anyAscii from 'any-ascii'
import type { NameKeys } from '../../infrastructure/db/collections/name-keys.ts'

const MAX_NAME_LENGTH = 400
const MAX_KEY_LENGTH = 200
const MAX_ALTERNATIVES = 100
const MAX_WORDS = 300

export const MARKS = /[™®©℠]/g
export const PLAIN = /^[ -~]*$/
/** Within a word, so that `Assassin's` is one; any-ascii writes some letters of other scripts with them. */
const INNER = /['`"]/g

/** Spaces, control characters and other invisible characters. */
const UNSEEN = /[\s\p{C}]+/gu

/** The form in which whole names are compared: whatever their case, and however their accents are composed. */
export const ignoreCase = (name: string): string => name.slice(0, MAX_NAME_LENGTH).normalize('NFC').toLowerCase()

/** A text in a-z, 0-9 and single spaces, from any script; empty when nothing of it can be written so. */
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
 * The form in which names are compared: lower case, without accents, transliterated, punctuation as single spaces. A
 * name of nothing but signs keeps them, so that it can be told from another and be found.
 */
export function normalise(text: string): string {
  return fold(text) || text.slice(0, MAX_KEY_LENGTH).normalize('NFKC').toLowerCase().replace(UNSEEN, ' ').trim()
}

const SCRIPT_RUNS = /[\p{sc=Katakana}ー]+|\p{sc=Hiragana}+|\p{sc=Han}+|[^\p{sc=Katakana}ー\p{sc=Hiragana}\p{sc=Han}]+/gu

/** Japanese writes no spaces; where its scripts change, a word usually begins. */
const spaced = (text: string) => (text.slice(0, MAX_NAME_LENGTH).normalize('NFC').match(SCRIPT_RUNS) ?? []).join(' ')

/** The words that a search text asks for, each the beginning of a word of a name. */
export function splitWords(text: string): string[] {
  return normalise(spaced(text)).split(' ')
}

/** The words by which a name is found: its own, and those written together what signs or scripts divide (`spiderman`). */
function findableWords(name: string): string[] {
  const joined = name.split(/\s+/).map((part) => fold(part).replaceAll(' ', ''))
  return [...normalise(name).split(' '), ...splitWords(name), ...joined].filter((word) => word !== '')
}

/** The words of all names of an entry, each once, those of the first names first. */
export function searchWords(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(findableWords))].slice(0, MAX_WORDS)
}

/** Lists the texts of a list that another program may have stored as null or with nulls. */
export const stringsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []

interface Names {
  name: string | null | undefined
  alternatives?: readonly (string | null)[] | null | undefined
  /** How well known it is: the earlier among equal matches. */
  votes?: number
  /** In Unix seconds: the older the earlier among those that are equally known. */
  released?: number | null
}

const FIRST_YEAR_SECONDS = Date.UTC(1950, 0) / 1_000
const LAST_YEAR_SECONDS = Date.UTC(2200, 0) / 1_000
/** The weight of the release, below that of one letter of the name. */
const MAX_FOR_AGE = 0.4

/** From 0.4 for the oldest release to 0 for the latest, and for an unknown one. */
function weighAge(released: number | null): number {
  if (typeof released !== 'number') return 0
  const part = (LAST_YEAR_SECONDS - released) / (LAST_YEAR_SECONDS - FIRST_YEAR_SECONDS)
  return Math.min(Math.max(part, 0), 1) * MAX_FOR_AGE
}

/** Derives the keys of an entry, which every write of a name stores. */
export function buildNameKeys({ name, alternatives, votes = 0, released = null }: Names): Required<NameKeys> {
  const own = stringsIn([name])
  const nameKey = normalise(own.join())
  const others = stringsIn(alternatives).slice(0, MAX_ALTERNATIVES)

  return {
    nameKey,
    alternativeKeys: [...new Set(others.map(normalise))].filter((key) => key !== '' && key !== nameKey),
    searchWords: searchWords([...own, ...others]),
    searchRank: votes * 1_000 - Math.min(nameKey.length, 999) + weighAge(released),
  }
}
