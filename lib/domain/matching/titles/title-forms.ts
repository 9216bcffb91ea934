import { MARKS, normalise, PLAIN } from '../../names/normalise-name.ts'
import { type TitleToken, tokenizeTitle } from './title-tokens.ts'

export interface TitleForm {
  /** As it was written. */
  title: string
  /** Equal for titles that differ in case, accents and punctuation alone. */
  text: string
  /** Without what may be left out, in one piece. */
  core: string
  tokens: readonly TitleToken[]
  /** The first letters of all words, also read as numbers. */
  starts: ReadonlySet<string | undefined>
  parts: number
  /** The year in brackets: Prey (2017). */
  year: number | null
  /** The text of the other of two titles in one name, which may mean two games. */
  twin?: string | undefined
}

const LONGEST = 400
const BRACKETED_YEAR = /\s*[([（]\s*((?:19|20)\d\d)(?:\s+(?:video\s*)?game)?\s*[)\]）]/i
const BRACKET = /[([（【]/

/** Whether a token tells titles apart: stopwords, neutral editions and the number one are often left out. */
export const isDistinctive = ({ kind, text, isAside }: TitleToken) =>
  !isAside && kind !== 'stopword' && kind !== 'neutral' && !(kind === 'number' && text === '1')

/** The number one where it may be left out: not that of `Final Fantasy I & II`. */
export const isOptionalOne = ({ kind, text }: TitleToken, { tokens }: Pick<TitleForm, 'tokens'>) =>
  kind === 'number' && text === '1' && tokens.filter((token) => token.kind === 'number' && !token.year).length === 1

export const toCore = (tokens: readonly TitleToken[]): string => {
  const distinctive = tokens.filter(isDistinctive)
  return (distinctive.length > 0 ? distinctive : tokens).map(({ text, value }) => value ?? text).join('')
}

/** Whether it names an edition that is the same game in another box. */
export const namesEdition = ({ tokens }: TitleForm) => tokens.some(({ kind }) => kind === 'neutral')

/** Takes a title to pieces. Equal titles give equal forms; nothing of it is lost but signs. */
export function analyseTitle(title: string): TitleForm {
  const written = title.slice(0, LONGEST).replaceAll('&amp;', '&')
  const text = PLAIN.test(written) ? written : written.replace(MARKS, '').normalize('NFKC')
  const [bracketed = '', year] = (BRACKET.test(text) && BRACKETED_YEAR.exec(text)) || []
  const bare = bracketed === '' ? text : text.replace(bracketed, ' ')
  const { tokens, parts } = tokenizeTitle(bare.trim() === '' ? text : bare)
  const whole = tokens.map((token) => token.text).join(' ')
  return {
    title,
    text: whole || normalise(title),
    core: toCore(tokens),
    tokens,
    starts: new Set(tokens.flatMap(({ text: word, value = word }) => [word[0], value[0]])),
    parts,
    year: year === undefined ? null : Number(year),
  }
}
