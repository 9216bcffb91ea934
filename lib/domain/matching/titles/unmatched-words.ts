import type { TypeGroup } from '../facts/compare-types.ts'
import type { StepBudget } from '../step-budget.ts'
import { TITLE_SIGNALS } from '../weights.ts'
import { isDistinctive, isOptionalOne, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import type { Abbreviating } from './word-similarity.ts'

export interface Circumstances {
  /** The release years of each side. Such a year in the title of the other side is no distinctive word. */
  years: Readonly<Record<'left' | 'right', ReadonlySet<number>>>
  /** True for an alternative name of the catalogue, which is often a short form. */
  isAlternative: boolean
  /** The types of both sides, as known or as the titles name them. */
  types: Readonly<Record<'left' | 'right', TypeGroup | undefined>>
  /** True for releases on the same day, which add-ons seldom share with their games. */
  isSameDay: boolean
  /** The words of the makers' names: `Disney Aladdin`. */
  makers: () => ReadonlySet<string>
  /** The sides whose words may be initials of the other side. */
  shortened: Abbreviating
  budget: StepBudget
}

const STRONG_LETTERS = 6

const isNumberAbove1 = ({ kind, text }: TitleToken) => kind === 'number' && text !== '1'
const countLetters = (tokens: readonly TitleToken[]) => tokens.reduce((sum, { text }) => sum + text.length, 0)

export interface Unmatched {
  form: TitleForm
  tokens: readonly TitleToken[]
}

interface Direction {
  /** True when the subject lacks words of the game, false when the game lacks words of the subject. */
  isLeftOut: boolean
  /** True for an alternative name of the game, and for words of the subject on a day that both released. */
  isAlternative: boolean
}

type Strength = 'strong' | 'weak' | null

/** Rates the fully matched parts from a place on: strong when they are long enough to stand for the whole title. */
function strongPart({ form, tokens }: Unmatched, from: number): Strength {
  const missing = new Set(tokens.map(({ part }) => part))
  const whole = form.tokens.filter((token) => token.part >= from && !missing.has(token.part) && isDistinctive(token))
  if (whole.length === 0) return null
  return countLetters(whole) >= STRONG_LETTERS ? 'strong' : 'weak'
}

/** Reads facts about words that one title has besides all words of the other. */
function readAddition(unmatched: Unmatched, direction: Direction) {
  const { form, tokens } = unmatched
  const parts = tokens.map(({ part }) => part)
  const [first, last] = [Math.min(...parts), Math.max(...parts)]
  const end = form.tokens.at(-1)
  const shared = form.tokens.filter((token) => isDistinctive(token) && !tokens.includes(token))
  return {
    ...direction,
    isOne: tokens.every((token) => isOptionalOne(token, form)),
    areInstalments: tokens.every(({ kind }) => kind === 'instalment'),
    hasInstalment: tokens.some(({ kind }) => kind === 'instalment'),
    hasDerivative: tokens.some(({ kind }) => kind === 'derivative'),
    hasNumber: tokens.some(isNumberAbove1),
    areNumbers: tokens.every(isNumberAbove1),
    /** True when the subtitle identifies the game, so that the number in the head is optional. */
    isIdentifiedBySubtitle: last === 0 && strongPart(unmatched, 1) !== null,
    isSubtitle: first > 0 && !shared.some(({ part }) => part >= first && part <= last),
    isNumbered: form.tokens.some((token) => token.part < first && isNumberAbove1(token)),
    /** The strength of the parts behind the first one, when the other title lacks only the first. */
    restStrength: first === 0 && last < form.parts - 1 ? strongPart(unmatched, last + 1) : null,
    isAtEnd: end !== undefined && tokens.includes(end),
    /** True when the matched words lie in one part, with words missing around them. */
    isAround: first === 0 && form.parts > 1 && shared.length > 1 && new Set(shared.map(({ part }) => part)).size === 1,
    shared,
    isSharedNumbered: shared.some(isNumberAbove1),
  }
}

type Rule = readonly [when: (addition: ReturnType<typeof readAddition>) => boolean, signal: number]

/** The first rule that applies gives the signal. People omit a subtitle more often than add one that the game lacks. */
const ADDITION_RULES: readonly Rule[] = [
  // `Final Fantasy I` for `Final Fantasy`.
  [({ isOne }) => isOne, TITLE_SIGNALS.numberOne],
  // `The Last of Us 2` for `The Last of Us Part II`.
  [({ areInstalments }) => areInstalments, TITLE_SIGNALS.stopwords],
  // `Crysis Remastered` beside `Crysis`.
  [({ hasDerivative }) => hasDerivative, TITLE_SIGNALS.derivative],
  // `Deltarune: Chapter 2` beside `Deltarune`.
  [({ hasInstalment, hasNumber }) => hasInstalment && hasNumber, TITLE_SIGNALS.sequel],
  // `Deltarune: Chapter 1` for `Deltarune`.
  [({ hasInstalment }) => hasInstalment, TITLE_SIGNALS.firstPart],
  // `Doom II` beside `Doom`, and not `Assassin's Creed IV: Black Flag` beside `Assassin's Creed: Black Flag`.
  [({ hasNumber, isIdentifiedBySubtitle }) => hasNumber && !isIdentifiedBySubtitle, TITLE_SIGNALS.sequel],

  // `Warcraft III` for `Warcraft III: Reign of Chaos`.
  [
    ({ isSubtitle, isNumbered, isLeftOut, isAlternative }) => isSubtitle && isNumbered && (isLeftOut || isAlternative),
    TITLE_SIGNALS.leftOutPartNumbered,
  ],
  // `Sekiro` for `Sekiro: Shadows Die Twice`.
  [({ isSubtitle, isLeftOut }) => isSubtitle && isLeftOut, TITLE_SIGNALS.leftOutPart],
  // `Shovel Knight: Treasure Trove` for a game that is also called `Shovel Knight`.
  [({ isSubtitle, isAlternative }) => isSubtitle && isAlternative, TITLE_SIGNALS.addedToAlternative],
  // `StarCraft: Brood War` beside `StarCraft`.
  [({ isSubtitle }) => isSubtitle, TITLE_SIGNALS.addedPart],

  // `Ico` for `Classics: Ico`.
  [({ restStrength }) => restStrength === 'weak', TITLE_SIGNALS.leadingPartWeak],
  // `Skyrim` for `The Elder Scrolls V: Skyrim`.
  [({ restStrength, isLeftOut }) => restStrength !== null && isLeftOut, TITLE_SIGNALS.leadingPart],
  // `Ratchet & Clank 2: Going Commando` for `Ratchet & Clank: Going Commando`.
  [({ restStrength, areNumbers }) => restStrength !== null && areNumbers, TITLE_SIGNALS.addedLeadingNumber],
  // `Crisis Core: Final Fantasy VII` beside `Final Fantasy VII`.
  [({ restStrength }) => restStrength !== null, TITLE_SIGNALS.addedLeadingPart],

  // `Super Mario Galaxy` beside `Super Mario`.
  [({ isAtEnd, isLeftOut, isAround }) => isAtEnd && !(isLeftOut && isAround), TITLE_SIGNALS.moreWordsAtEnd],
  // `KotOR II` for `Star Wars: Knights of the Old Republic II - The Sith Lords`.
  [({ isAtEnd, isSharedNumbered }) => isAtEnd && isSharedNumbered, TITLE_SIGNALS.leftOutAroundNumbered],
  // `New Super Mario Bros.` beside `Super Mario Bros.`.
  [({ isAtEnd, isLeftOut, shared }) => !isAtEnd && (!isLeftOut || shared.length < 2), TITLE_SIGNALS.moreWords],
  // `Mario 64` for `Super Mario 64`.
  [({ isSharedNumbered }) => isSharedNumbered, TITLE_SIGNALS.leftOutWordsNumbered],
]

function additionSignal(unmatched: Unmatched, direction: Direction): number {
  const addition = readAddition(unmatched, direction)
  const [, signal] = ADDITION_RULES.find(([when]) => when(addition)) ?? []
  // `Smash Bros. Melee` for `Super Smash Bros. Melee`, `Mario RPG` for `Super Mario RPG: Legend of the Seven Stars`.
  return signal ?? TITLE_SIGNALS.leftOutWords
}

/** Rates two titles by the words that the other title lacks, from 0 to 1. */
export function compareUnmatched(
  left: Unmatched,
  right: Unmatched,
  { isAlternative, isSameDay }: Circumstances,
): number {
  if (left.tokens.length > 0 && right.tokens.length > 0) return differenceSignal(left, right)
  if (left.tokens.length > 0)
    return additionSignal(left, { isLeftOut: false, isAlternative: isAlternative || isSameDay })
  return right.tokens.length > 0 ? additionSignal(right, { isLeftOut: true, isAlternative }) : TITLE_SIGNALS.equal
}

function differenceSignal(left: Unmatched, right: Unmatched): number {
  const sides = [left, right]
  const areNumbered = sides.every(({ tokens }) => tokens.some(({ kind, value }) => kind === 'number' || value))
  if (areNumbered) return TITLE_SIGNALS.differentNumbers
  const sharedParts = sides.map(
    ({ form, tokens }) => 1 - tokens.length / Math.max(1, form.tokens.filter(isDistinctive).length),
  )
  return TITLE_SIGNALS.differentWords * Math.max(0, Math.min(...sharedParts))
}
