import type { TypeGroup } from '../facts/compare-types.ts'
import { TITLE_SIGNALS } from '../weights.ts'
import { alignTitles } from './align-titles.ts'
import { isDistinctive, isOptionalOne, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import { isStatus } from './title-words.ts'
import { namesType } from './type-words.ts'
import { type Circumstances, compareUnmatched, type Unmatched } from './unmatched-words.ts'

/** A kind of word that one of two titles of a game may lack. */
interface OptionalWord {
  signal: number
  matches(
    token: TitleToken,
    circumstances: Circumstances,
    side: { form: TitleForm; isLeft: boolean; other: Unmatched },
  ): boolean
  /** Keeps the word when both sides have a number or a platform: `F1 2019` and `F1 2020`, `Mario Kart DS` and `Mario Kart Wii`. */
  unlessBothNumbered?: true
  /** Keeps the word when the other side has another in its place: `Baldur's Gate` is no `Stein's Gate`. */
  unlessReplaced?: true
}

/** Types with a name of their own. A remake has the name of its game. */
const SEPARATELY_NAMED: readonly (TypeGroup | undefined)[] = ['addon', 'bundle', 'mod', 'standalone', 'fan disc']

/** True when the other title lacks words of the last part of a title, besides its type. */
const endsOtherwise = ({ form, tokens }: Unmatched, type: TypeGroup | undefined) => {
  const last = Math.max(...form.tokens.map(({ part, isAside }) => (isAside ? 0 : part)))
  return tokens.some((token) => token.part === last && (token.kind === 'content' || !namesType(token, type)))
}

/** True for `(DLC)`, which names no particular one. */
const isBareType = ({ text }: TitleToken) => text === 'dlc'

const OPTIONAL_WORDS: readonly OptionalWord[] = [
  {
    signal: TITLE_SIGNALS.sameType,
    matches: (token, { types, isSameDay }, { isLeft, other }) => {
      const type = types[isLeft ? 'right' : 'left']
      // A remake or remaster does not come out on the day of its original.
      if (type === undefined && isSameDay) return namesType(token, 'remake') || namesType(token, 'remaster')
      // A type explains no word when both titles name one: `Age of Empires II HD` and its Definitive Edition.
      if (!namesType(token, type) || other.tokens.some((word) => !isBareType(word) && namesType(word, type)))
        return false
      return !(SEPARATELY_NAMED.includes(type) && endsOtherwise(other, type))
    },
  },
  { signal: TITLE_SIGNALS.status, matches: ({ kind, text }) => kind === 'derivative' && isStatus(text) },
  { signal: TITLE_SIGNALS.reissue, matches: ({ kind }) => kind === 'reissue' },
  { signal: TITLE_SIGNALS.namedEdition, matches: ({ kind }) => kind === 'namedEdition' },
  { signal: TITLE_SIGNALS.neutralEdition, matches: ({ kind }) => kind === 'neutral' },
  {
    signal: TITLE_SIGNALS.aside,
    matches: ({ isAside, kind }) => isAside && (kind === 'word' || kind === 'platform'),
    unlessBothNumbered: true,
  },
  {
    signal: TITLE_SIGNALS.sameYear,
    matches: ({ year }, { years }, { isLeft }) => year !== undefined && years[isLeft ? 'right' : 'left'].has(year),
    unlessBothNumbered: true,
  },
  { signal: TITLE_SIGNALS.platform, matches: ({ kind }) => kind === 'platform', unlessBothNumbered: true },
  {
    signal: TITLE_SIGNALS.numberOne,
    matches: (token, _, { form }) => isOptionalOne(token, form) && token.part === 0 && !token.isCount,
    unlessBothNumbered: true,
  },
  {
    signal: TITLE_SIGNALS.brand,
    matches: ({ isBrand, isFirst, text }, { makers }) => isBrand || (isFirst && makers().has(text)),
    unlessReplaced: true,
  },
]

/** Drops the optional words of both sides. Each kind that is dropped lowers the similarity. */
function withoutOptionalWords(left: Unmatched, right: Unmatched, circumstances: Circumstances) {
  let sides = { left, right, similarity: 1 }
  const isNumbered = ({ tokens }: Unmatched) => tokens.some(({ kind }) => kind === 'number' || kind === 'platform')
  for (const { signal, matches, unlessBothNumbered, unlessReplaced } of OPTIONAL_WORDS) {
    const { left, right, similarity } = sides
    const without = ({ form, tokens }: Unmatched, isLeft: boolean): Unmatched => {
      const side = { form, isLeft, other: isLeft ? right : left }
      return { form, tokens: tokens.filter((token) => !matches(token, circumstances, side)) }
    }
    const less = { left: without(left, true), right: without(right, false), similarity: similarity * signal }
    const isNoneDropped =
      less.left.tokens.length === left.tokens.length && less.right.tokens.length === right.tokens.length
    if (isNoneDropped) continue
    if (unlessReplaced && left.tokens.length > 0 && right.tokens.length > 0) continue
    if (unlessBothNumbered && isNumbered(left) && isNumbered(right)) continue
    sides = less
  }
  return sides
}

/** True for a title of stopwords alone. */
const isBare = ({ tokens }: TitleForm) => tokens.every(({ kind }) => kind === 'stopword')

/** A long word may begin with a wrong letter. */
const LONG_WORD = 7

/** True when enough words begin like words of the other title. Otherwise aligning is pointless. */
function mayAgree({ tokens }: TitleForm, other: TitleForm): boolean {
  if (other.tokens.length < tokens.length) return true
  const distinctive = tokens.filter(isDistinctive)
  const begun = distinctive.filter(
    ({ text, value = text }) =>
      text.length >= LONG_WORD || other.starts.includes(text.charAt(0)) || other.starts.includes(value.charAt(0)),
  )
  return begun.length * 2 >= distinctive.length
}

/** The cost of a comparison without an alignment. */
const STEPS_OF_COMPARISON = 10

const sortedWords = (tokens: readonly TitleToken[]) =>
  tokens
    .map(({ text }) => text)
    .sort()
    .join(' ')

/** True when only small words of a part are missing. */
const isStopwordMissing = (tokens: readonly TitleToken[]) =>
  tokens.some(
    ({ kind, part }) =>
      kind === 'stopword' && !tokens.some((other) => other.part === part && other.kind !== 'stopword'),
  )

/** Compares the title of a subject with a title of the catalogue, from 0 to 1. */
export function compareTitles(left: TitleForm, right: TitleForm, circumstances: Circumstances): number {
  circumstances.budget.spend(STEPS_OF_COMPARISON)
  if (left.text === right.text) return TITLE_SIGNALS.equal
  // No word of `!!!` or `The` is optional.
  if (isBare(left) || isBare(right)) return 0
  if (!mayAgree(left, right) || !mayAgree(right, left)) return 0
  const aligned = alignTitles(left.tokens, right.tokens, circumstances)
  const isWord = ({ kind }: TitleToken) => kind !== 'stopword'
  const [missingLeft, missingRight] = [aligned.left.filter(isWord), aligned.right.filter(isWord)]
  const areStopwordsMissing = isStopwordMissing(aligned.left) || isStopwordMissing(aligned.right)

  const similarity = aligned.similarity * (areStopwordsMissing ? TITLE_SIGNALS.stopwords : 1)
  if (missingLeft.length > 0 && sortedWords(missingLeft) === sortedWords(missingRight))
    return similarity * TITLE_SIGNALS.otherOrder
  const unmatched = withoutOptionalWords(
    { form: left, tokens: missingLeft },
    { form: right, tokens: missingRight },
    circumstances,
  )
  return similarity * unmatched.similarity * compareUnmatched(unmatched.left, unmatched.right, circumstances)
}
