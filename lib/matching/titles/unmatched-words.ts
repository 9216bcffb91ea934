import type { TypeGroup } from '../facts/compare-types.ts'
import type { StepBudget } from '../step-budget.ts'
import { TITLE_SIGNALS } from '../weights.ts'
import { isDistinctive, isOptionalOne, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import type { Abbreviating } from './word-similarity.ts'

export interface Circumstances {
  /** In which each came out, as far as is known: a year that the title of the other bears to say so is no part of it. */
  years?: Readonly<Record<'left' | 'right', ReadonlySet<number>>>
  /** The catalogue's title is one of several, and more often than the first of them a short one. */
  isAlternative?: boolean
  /** The types of both, as far as they or the titles tell. */
  types?: Readonly<Record<'left' | 'right', TypeGroup | undefined>>
  /** Both came out on the same day, which add-ons seldom share with their games. */
  isSameDay?: boolean
  /** The words of the names of those who made them: `Disney Aladdin`. */
  makers?: () => ReadonlySet<string>
  /** The titles whose words may be initials of words of the other: both when absent. */
  shortened?: Abbreviating
  budget?: StepBudget
}

const STRONG_LETTERS = 6

const isNumberAbove1 = ({ kind, text }: TitleToken) => kind === 'number' && text !== '1'
const countLetters = (tokens: readonly TitleToken[]) => tokens.reduce((sum, { text }) => sum + text.length, 0)

export interface Unmatched {
  form: TitleForm
  tokens: readonly TitleToken[]
}

interface Direction {
  /** The subject has less than the game. */
  isLeftOut: boolean
  /** The game's title is one of its alternative names. */
  isAlternative: boolean
}

/** A part of which nothing is left over, and which tells enough to stand for the whole title. */
function strongPart({ form, tokens }: Unmatched, from: number): 'strong' | 'weak' | null {
  const missing = new Set(tokens.map(({ part }) => part))
  const whole = form.tokens.filter((token) => token.part >= from && !missing.has(token.part) && isDistinctive(token))
  if (whole.length === 0) return null
  return countLetters(whole) >= STRONG_LETTERS ? 'strong' : 'weak'
}

function sequelSignal(unmatched: Unmatched): number | null {
  const { tokens } = unmatched
  const hasPart = tokens.some(({ kind }) => kind === 'instalment')
  // `The Last of Us 2` for `The Last of Us Part II`.
  if (tokens.every(({ kind }) => kind === 'instalment')) return TITLE_SIGNALS.stopwords
  if (tokens.some(({ kind }) => kind === 'derivative')) return TITLE_SIGNALS.derivative
  if (hasPart) return tokens.some(isNumberAbove1) ? TITLE_SIGNALS.sequel : TITLE_SIGNALS.firstPart
  if (!tokens.some(isNumberAbove1)) return null
  // `Assassin's Creed: Black Flag`: the number may go where the subtitle tells which it is.
  const isInHead = tokens.every(({ part }) => part === 0)
  return isInHead && strongPart(unmatched, 1) !== null ? null : TITLE_SIGNALS.sequel
}

/** The meaning of a subtitle that one title alone has: people leave one out more often than a game of none gets one. */
function subtitleSignal({ form }: Unmatched, first: number, { isLeftOut, isAlternative }: Direction): number {
  const isNumbered = form.tokens.some((token) => token.part < first && isNumberAbove1(token))
  if (!isLeftOut && isAlternative)
    return isNumbered ? TITLE_SIGNALS.leftOutPartNumbered : TITLE_SIGNALS.addedToAlternative
  if (!isLeftOut) return isNumbered ? TITLE_SIGNALS.addedPartNumbered : TITLE_SIGNALS.addedPart
  return isNumbered ? TITLE_SIGNALS.leftOutPartNumbered : TITLE_SIGNALS.leftOutPart
}

/** The longer title has all words of the shorter one. */
function additionSignal(unmatched: Unmatched, direction: Direction): number {
  const { isLeftOut } = direction
  const { form, tokens } = unmatched
  if (tokens.every((token) => isOptionalOne(token, form))) return TITLE_SIGNALS.numberOne
  const sequel = sequelSignal(unmatched)
  if (sequel !== null) return sequel

  const [first, last] = [Math.min(...tokens.map(({ part }) => part)), Math.max(...tokens.map(({ part }) => part))]
  const isWhole = form.tokens.every(
    (token) => token.part < first || token.part > last || !isDistinctive(token) || tokens.includes(token),
  )
  if (first > 0 && isWhole) return subtitleSignal(unmatched, first, direction)
  if (first === 0 && last < form.parts - 1) {
    const strength = strongPart(unmatched, last + 1)
    const added = tokens.every(isNumberAbove1) ? TITLE_SIGNALS.addedLeadingNumber : TITLE_SIGNALS.addedLeadingPart
    const strong = isLeftOut ? TITLE_SIGNALS.leadingPart : added
    if (strength !== null) return strength === 'strong' ? strong : TITLE_SIGNALS.leadingPartWeak
  }
  const end = form.tokens.at(-1)
  if (end !== undefined && tokens.includes(end) && !isLeftOut) return TITLE_SIGNALS.moreWordsAtEnd
  const shared = form.tokens.filter((token) => isDistinctive(token) && !tokens.includes(token))
  if (end !== undefined && tokens.includes(end)) {
    // `Mario RPG` for `Super Mario RPG: Legend of the Seven Stars`: what is left is of one part.
    const parts = new Set(shared.map(({ part }) => part))
    if (form.parts === 1 || first > 0 || shared.length < 2 || parts.size > 1) return TITLE_SIGNALS.moreWordsAtEnd
    return shared.some(isNumberAbove1) ? TITLE_SIGNALS.leftOutAroundNumbered : TITLE_SIGNALS.leftOutAround
  }
  if (!isLeftOut || shared.length < 2) return TITLE_SIGNALS.moreWords
  return shared.some(isNumberAbove1) ? TITLE_SIGNALS.leftOutWordsNumbered : TITLE_SIGNALS.leftOutWords
}

/** How alike two titles are by the words that the other lacks, from 0 to 1. */
export function compareUnmatched(
  left: Unmatched,
  right: Unmatched,
  { isAlternative = false, isSameDay = false }: Circumstances,
): number {
  if (left.tokens.length > 0 && right.tokens.length > 0) return differenceSignal(left, right)
  if (left.tokens.length > 0)
    return additionSignal(left, { isLeftOut: false, isAlternative: isAlternative || isSameDay })
  return right.tokens.length > 0 ? additionSignal(right, { isLeftOut: true, isAlternative }) : TITLE_SIGNALS.equal
}

function differenceSignal(left: Unmatched, right: Unmatched): number {
  const hasNumber = ({ tokens }: Unmatched) =>
    tokens.some(({ kind, value }) => kind === 'number' || value !== undefined)
  if (hasNumber(left) && hasNumber(right)) return TITLE_SIGNALS.differentNumbers
  const areHeads = [left, right].every(
    (unmatched) =>
      unmatched.tokens.every(({ part }) => part < unmatched.form.parts - 1) && strongPart(unmatched, 1) === 'strong',
  )
  if (areHeads) return TITLE_SIGNALS.otherHead
  const sharedPart = ({ form, tokens }: Unmatched) =>
    1 - tokens.length / Math.max(1, form.tokens.filter(isDistinctive).length)
  return TITLE_SIGNALS.differentWords * Math.max(0, Math.min(sharedPart(left), sharedPart(right)))
}
