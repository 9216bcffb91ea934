import type { StepBudget } from '../step-budget.ts'
import { TITLE_SIGNALS } from '../weights.ts'
import { isLoneOne, isTelling, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import type { Shortened } from './word-similarity.ts'

export interface Circumstances {
  /** In which each came out, as far as is known: a year that the title of the other bears to say so is no part of it. */
  years?: Readonly<Record<'left' | 'right', ReadonlySet<number>>>
  /** The catalogue's title is one of several, and more often than the first of them a short one. */
  isAlternative?: boolean
  /** Both tell the same day, which add-ons seldom share with their games. */
  isSameDay?: boolean
  /** The words of the names of those who made them: `Disney Aladdin`. */
  makers?: () => ReadonlySet<string>
  /** Of which title the words may be initials of words of the other; of both when absent. */
  shortened?: Shortened
  budget?: StepBudget
}

const STRONG_LETTERS = 6

const isNumberAbove1 = ({ is, text }: TitleToken) => is === 'number' && text !== '1'
const lettersOf = (tokens: readonly TitleToken[]) => tokens.reduce((sum, { text }) => sum + text.length, 0)

export interface Rest {
  form: TitleForm
  /** What the other title has not. */
  tokens: readonly TitleToken[]
}

interface Direction {
  /** The subject has less than the game. */
  isLeftOut: boolean
  /** The game's title is one of its alternative names. */
  isAlternative: boolean
}

/** A part of which nothing is left over, and which tells enough to stand for the whole title. */
function strongPart({ form, tokens }: Rest, from: number): 'strong' | 'weak' | null {
  const missing = new Set(tokens.map(({ part }) => part))
  const whole = form.tokens.filter((token) => token.part >= from && !missing.has(token.part) && isTelling(token))
  if (whole.length === 0) return null
  return lettersOf(whole) >= STRONG_LETTERS ? 'strong' : 'weak'
}

function signalOfSequel(rest: Rest): number | null {
  const { tokens } = rest
  const hasPart = tokens.some(({ is }) => is === 'part')
  // `The Last of Us 2` for `The Last of Us Part II`.
  if (tokens.every(({ is }) => is === 'part')) return TITLE_SIGNALS.small
  if (tokens.some(({ is }) => is === 'own')) return TITLE_SIGNALS.ownVersion
  if (hasPart) return tokens.some(isNumberAbove1) ? TITLE_SIGNALS.sequel : TITLE_SIGNALS.firstPart
  if (!tokens.some(isNumberAbove1)) return null
  // `Assassin's Creed: Black Flag`: the number may go where the subtitle tells which it is.
  const isInHead = tokens.every(({ part }) => part === 0)
  return isInHead && strongPart(rest, 1) !== null ? null : TITLE_SIGNALS.sequel
}

/** What a subtitle means that one title alone has: a person leaves one out more often than a game of none gets one. */
function signalOfSubtitle({ form }: Rest, first: number, { isLeftOut, isAlternative }: Direction): number {
  const isNumbered = form.tokens.some((token) => token.part < first && isNumberAbove1(token))
  if (!isLeftOut && isAlternative)
    return isNumbered ? TITLE_SIGNALS.leftOutPartNumbered : TITLE_SIGNALS.addedToAlternative
  if (!isLeftOut) return isNumbered ? TITLE_SIGNALS.addedPartNumbered : TITLE_SIGNALS.addedPart
  return isNumbered ? TITLE_SIGNALS.leftOutPartNumbered : TITLE_SIGNALS.leftOutPart
}

/** One title has all that the other has, and more. */
function signalOfMore(rest: Rest, direction: Direction): number {
  const { isLeftOut } = direction
  const { form, tokens } = rest
  if (tokens.every((token) => isLoneOne(token, form))) return TITLE_SIGNALS.numberOne
  const sequel = signalOfSequel(rest)
  if (sequel !== null) return sequel

  const [first, last] = [Math.min(...tokens.map(({ part }) => part)), Math.max(...tokens.map(({ part }) => part))]
  const isWhole = form.tokens.every(
    (token) => token.part < first || token.part > last || !isTelling(token) || tokens.includes(token),
  )
  if (first > 0 && isWhole) return signalOfSubtitle(rest, first, direction)
  if (first === 0 && last < form.parts - 1) {
    const strength = strongPart(rest, last + 1)
    const added = tokens.every(isNumberAbove1) ? TITLE_SIGNALS.addedLeadingNumber : TITLE_SIGNALS.addedLeadingPart
    const strong = isLeftOut ? TITLE_SIGNALS.leadingPart : added
    if (strength !== null) return strength === 'strong' ? strong : TITLE_SIGNALS.leadingPartWeak
  }
  const end = form.tokens.at(-1)
  if (end !== undefined && tokens.includes(end) && !isLeftOut) return TITLE_SIGNALS.moreWordsAtEnd
  const shared = form.tokens.filter((token) => isTelling(token) && !tokens.includes(token))
  if (end !== undefined && tokens.includes(end)) {
    // `Mario RPG` for `Super Mario RPG: Legend of the Seven Stars`: what is left is of one part.
    const parts = new Set(shared.map(({ part }) => part))
    if (form.parts === 1 || first > 0 || shared.length < 2 || parts.size > 1) return TITLE_SIGNALS.moreWordsAtEnd
    return shared.some(isNumberAbove1) ? TITLE_SIGNALS.leftOutAroundNumbered : TITLE_SIGNALS.leftOutAround
  }
  if (!isLeftOut || shared.length < 2) return TITLE_SIGNALS.moreWords
  return shared.some(isNumberAbove1) ? TITLE_SIGNALS.leftOutWordsNumbered : TITLE_SIGNALS.leftOutWords
}

/** What is left over of both titles tells how alike they are, from 0 to 1. */
export function signalOfRest(
  left: Rest,
  right: Rest,
  { isAlternative = false, isSameDay = false }: Circumstances,
): number {
  if (left.tokens.length > 0 && right.tokens.length > 0) return signalOfDifference(left, right)
  if (left.tokens.length > 0) return signalOfMore(left, { isLeftOut: false, isAlternative: isAlternative || isSameDay })
  return right.tokens.length > 0 ? signalOfMore(right, { isLeftOut: true, isAlternative }) : TITLE_SIGNALS.equal
}

function signalOfDifference(left: Rest, right: Rest): number {
  const hasNumber = ({ tokens }: Rest) => tokens.some(({ is, value }) => is === 'number' || value !== undefined)
  if (hasNumber(left) && hasNumber(right)) return TITLE_SIGNALS.differentNumbers
  const areHeads = [left, right].every(
    (rest) => rest.tokens.every(({ part }) => part < rest.form.parts - 1) && strongPart(rest, 1) === 'strong',
  )
  if (areHeads) return TITLE_SIGNALS.otherHead
  const shareOf = ({ form, tokens }: Rest) => 1 - tokens.length / Math.max(1, form.tokens.filter(isTelling).length)
  return TITLE_SIGNALS.differentWords * Math.max(0, Math.min(shareOf(left), shareOf(right)))
}
