import { MARKS, normalise, PLAIN, stringsIn } from '../../names/normalise-name.ts'
import { type TitleToken, tokenizeTitle } from './title-tokens.ts'

export interface TitleForm {
  title: string
  /** The words in one form, whatever their case, accents and punctuation. */
  text: string
  /** The distinctive words without spaces. */
  core: string
  tokens: readonly TitleToken[]
  /** The first letters of the words, and of the numbers that they may be. */
  starts: string
  parts: number
  /** The year in brackets: Prey (2017). */
  year: number | null
  /** The text of the second title of the name, which may mean another game. */
  twin?: string | undefined
}

const LONGEST = 400
const LONGEST_NAME = 200
const BRACKETED_YEAR = /\s*[([（]\s*((?:19|20)\d\d)(?:\s+(?:video\s*)?game)?\s*[)\]）]/i

/** True when a token distinguishes titles. Stopwords, neutral editions and the number one are often omitted. */
export const isDistinctive = ({ kind, text, isAside }: TitleToken) =>
  !isAside && kind !== 'stopword' && kind !== 'neutral' && !(kind === 'number' && text === '1')

/** True for a number one that may be omitted, as in no `Final Fantasy I & II`. */
export const isOptionalOne = ({ kind, text }: TitleToken, { tokens }: Pick<TitleForm, 'tokens'>) =>
  kind === 'number' && text === '1' && tokens.filter((token) => token.kind === 'number' && !token.year).length === 1

export const toCore = (tokens: readonly TitleToken[]): string => {
  const distinctive = tokens.filter(isDistinctive)
  return (distinctive.length > 0 ? distinctive : tokens).map(({ text, value }) => value ?? text).join('')
}

/** Derives from the tokens of a title what comparisons read beside them. */
export const readTokens = (tokens: readonly TitleToken[]) => ({
  tokens,
  text: tokens.map(({ text }) => text).join(' '),
  core: toCore(tokens),
  starts: tokens.map(({ text, value = '' }) => text.charAt(0) + value.charAt(0)).join(''),
})

/** True when a title names an edition that is the same game in another box. */
export const namesEdition = ({ tokens }: TitleForm) => tokens.some(({ kind }) => kind === 'neutral')

/** Splits a title into classified words. Equal titles give equal forms, and only signs are lost. */
export function analyseTitle(title: string): TitleForm {
  const written = title.slice(0, LONGEST).replaceAll('&amp;', '&')
  const text = PLAIN.test(written) ? written : written.replace(MARKS, '').normalize('NFKC')
  const [bracketed = '', year] = BRACKETED_YEAR.exec(text) ?? []
  const bare = bracketed === '' ? text : text.replace(bracketed, ' ')
  const { tokens, parts } = tokenizeTitle(bare.trim() === '' ? text : bare)
  const form = readTokens(tokens)
  return {
    title,
    ...form,
    text: form.text || normalise(title),
    parts,
    year: year === undefined ? null : Number(year),
  }
}

const MAX_NAMES = 21
/** Separates two titles in one name. `Fate/stay night` is one title. */
const BETWEEN_TITLES = /\s+\/\s+|\s*／\s*/
const OTHER_SCRIPT = /(?!\p{sc=Latin})\p{L}/u

export interface Name {
  text: string
  /** The other title of a name with two titles in one script. It may be the name of another game. */
  twin?: string | undefined
}

function splitName(text: string): Name[] {
  const titles = text.split(BETWEEN_TITLES).filter((title) => title.trim() !== '')
  if (titles.length !== 2) return []
  const areInOneScript = new Set(titles.map((title) => OTHER_SCRIPT.test(title))).size === 1
  return titles.map((text, at) => ({ text, twin: areInOneScript ? titles[1 - at] : undefined }))
}

/** Lists the names of an entry, the main one first. A name of two titles is followed by both of them. */
export function readNames(name: unknown, alternatives: unknown): Name[] {
  const texts = [...stringsIn([name]), ...stringsIn(alternatives, MAX_NAMES)]
  return texts.flatMap((text) => [{ text }, ...splitName(text)]).slice(0, MAX_NAMES)
}

export const cut = (name: string) => name.slice(0, LONGEST_NAME)

export const analyseName = ({ text, twin }: Name): TitleForm => ({
  ...analyseTitle(cut(text)),
  twin: twin === undefined ? undefined : analyseTitle(cut(twin)).text,
})
