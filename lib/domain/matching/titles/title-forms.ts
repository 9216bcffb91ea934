import { MARKS, normalise, PLAIN } from '../../names/normalise-name.ts'
import type { Name } from './read-names.ts'
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

export const cut = (name: string) => name.slice(0, LONGEST_NAME)

export const analyseName = ({ text, twin }: Name): TitleForm => ({
  ...analyseTitle(cut(text)),
  twin: twin === undefined ? undefined : analyseTitle(cut(twin)).text,
})
