import { createStepBudget, type StepBudget } from '../step-budget.ts'
import { WORD_SIMILARITY } from '../weights.ts'
import type { TitleToken } from './title-tokens.ts'
import { isStopword } from './title-words.ts'
import { type Abbreviating, areRoughlyEqual, compareTokens, countInitials, findFigure } from './word-similarity.ts'

export interface Alignment {
  /** The places of the tokens that the other side lacks. */
  left: readonly number[]
  right: readonly number[]
  /** The similarity of the aligned words: 1 when all are equal. */
  similarity: number
}

const MAX_WORDS_OF_INITIALS = 6
const EITHER: Abbreviating = { left: true, right: true }

const isShort = ({ text, kind }: TitleToken) => kind === 'word' && text.length >= 2 && text.length <= 7

const toWeight = ({ kind }: TitleToken) => (kind === 'stopword' ? 0.2 : 1)

/** True when the tokens may give initials: they lie in one part, or begin at the start of one. */
const isRun = (many: readonly TitleToken[], at: number, count: number) =>
  many[at]?.part === many[at + count - 1]?.part ||
  many.slice(0, at).every(({ part, kind }) => part !== many[at]?.part || kind === 'stopword')

/** Costs in steps. One step is the comparison of two unlike words. */
const STEPS = {
  alignment: 32,
  /** A word of either side. */
  word: 2,
  pair: 1,
  /** Two words with the same first letter, or two long ones. */
  likePair: 6,
  /** A word compared with several words that may be its pieces or give its initials. */
  pieces: 10,
  /** A match of that kind. */
  found: 5,
} as const
const LONG_WORD = 7

interface AlignOptions {
  shortened?: Abbreviating | undefined
  budget?: StepBudget | undefined
}

interface Step {
  takeLeft: number
  takeRight: number
  similarity: number
}

/** A match of one word with several of the other side. */
interface PiecesMatch {
  count: number
  similarity: number
}

const BOTH_EQUAL: Step = { takeLeft: 1, takeRight: 1, similarity: 1 }
const SKIP_LEFT: Step = { takeLeft: 1, takeRight: 0, similarity: 0 }
const SKIP_RIGHT: Step = { takeLeft: 0, takeRight: 1, similarity: 0 }

/** A word of one title, and words of the other that may be its pieces. */
interface Pieces {
  word: string
  first: string
  last: string
  count: number
  joined: string
  isSpelled: boolean
}

/** The first rule that applies counts. */
const PIECES_RULES: readonly (readonly [when: (of: Pieces) => boolean, similarity: number])[] = [
  // `Driv3r` for `Driver 3`.
  [({ word, first, last, count }) => count === 2 && findFigure(word, first) === last, WORD_SIMILARITY.figure],
  // `Spiderman` for `Spider-Man`.
  [({ word, joined }) => word === joined, WORD_SIMILARITY.joined],
  // `Gensoukyou` for `Genso Kyo`.
  [
    ({ word, joined }) =>
      joined.length > 6 && Math.abs(joined.length - word.length) <= 2 && areRoughlyEqual(joined, word),
    WORD_SIMILARITY.romanised,
  ],
  // `GTA` for `Grand Theft Auto`.
  [({ isSpelled }) => isSpelled, WORD_SIMILARITY.initials],
]

interface PieceSearch {
  many: readonly TitleToken[]
  at: number
  isShortened: boolean
  budget: StepBudget
}

/** Finds the numbers of tokens of the other side, from a place on, that together equal one token. */
function matchPieces(one: TitleToken, { many, at, isShortened, budget }: PieceSearch): readonly PiecesMatch[] {
  const first = many[at]?.text ?? ''
  if (first === '' || (first[0] !== one.text[0] && !isStopword(first))) return []
  budget.spend(STEPS.pieces)
  const most = Math.min(MAX_WORDS_OF_INITIALS, many.length - at)
  const spelled = isShortened && isShort(one) ? countInitials(one.text, many, at, most) : []
  const found: PiecesMatch[] = []
  let joined = first
  for (let count = 2; count <= most; count++) {
    const last = many[at + count - 1]?.text ?? ''
    joined += last
    if (spelled.length === 0 && joined.length > one.text.length + 2) break
    const isSpelled = spelled.includes(count) && isRun(many, at, count)
    const pieces = { word: one.text, first, last, count, joined, isSpelled }
    const [, similarity] = PIECES_RULES.find(([when]) => when(pieces)) ?? []
    if (similarity !== undefined) found.push({ count, similarity })
  }
  budget.spend(STEPS.found * found.length)
  return found
}

interface Sides {
  left: readonly TitleToken[]
  right: readonly TitleToken[]
  shortened: Abbreviating
  budget: StepBudget
}

function stepsAt({ left, right, shortened, budget }: Sides, i: number, j: number): Step[] {
  const [a, b] = [left[i], right[j]]
  if (a === undefined || b === undefined) return []
  if (a.text[0] === b.text[0] || (a.text.length >= LONG_WORD && b.text.length >= LONG_WORD))
    budget.spend(STEPS.likePair)
  const alike = compareTokens(a, b, shortened)
  if (alike === 1) return [BOTH_EQUAL]
  const byLeft = matchPieces(a, { many: right, at: j, isShortened: shortened.left, budget })
  const byRight = matchPieces(b, { many: left, at: i, isShortened: shortened.right, budget })
  return [
    ...(alike > 0 ? [{ takeLeft: 1, takeRight: 1, similarity: alike }] : []),
    ...byLeft.map(({ count, similarity }) => ({ takeLeft: 1, takeRight: count, similarity })),
    ...byRight.map(({ count, similarity }) => ({ takeLeft: count, takeRight: 1, similarity })),
  ]
}

/**
 * Aligns the tokens of two titles in their order, so that the most weight agrees. Equal tokens at both ends agree first;
 * once the budget is spent, no other tokens do.
 */
export function alignTitles(
  left: readonly TitleToken[],
  right: readonly TitleToken[],
  { shortened = EITHER, budget = createStepBudget(Number.POSITIVE_INFINITY) }: AlignOptions = {},
): Alignment {
  const start = countEqual(left, right, (tokens, at) => tokens[at])
  const [restLeft, restRight] = [left.slice(start), right.slice(start)]
  const end = countEqual(restLeft, restRight, (tokens, at) => tokens.at(-1 - at))
  const sides = {
    left: restLeft.slice(0, restLeft.length - end),
    right: restRight.slice(0, restRight.length - end),
    shortened,
    budget,
  }
  budget.spend(STEPS.alignment + STEPS.word * (left.length + right.length))
  const middle = budget.isSpent ? matchNone(sides) : alignMiddles(sides)
  const places = (found: readonly number[]) => found.map((place) => place + start)
  return { ...middle, left: places(middle.left), right: places(middle.right) }
}

/** Counts equal tokens from one end, because most compared titles begin or end alike. */
function countEqual(
  left: readonly TitleToken[],
  right: readonly TitleToken[],
  tokenAt: (tokens: readonly TitleToken[], at: number) => TitleToken | undefined,
): number {
  let count = 0
  while (tokenAt(left, count) !== undefined && tokenAt(left, count)?.text === tokenAt(right, count)?.text) count++
  return count
}

const matchNone = ({ left, right }: Pick<Sides, 'left' | 'right'>): Alignment => ({
  left: [...left.keys()],
  right: [...right.keys()],
  similarity: 1,
})

/** A step from a place, with the total weight of the best path behind it. */
interface Choice {
  step: Step
  total: number
}

/** Picks the choice of most weight, the first of equals. */
const bestOf = (choices: readonly Choice[]): Choice =>
  choices.reduce((best, choice) => (choice.total > best.total ? choice : best))

function alignMiddles(sides: Sides): Alignment {
  const { left, right, budget } = sides
  if (left.length === 0 || right.length === 0) return matchNone(sides)
  budget.spend(STEPS.pair * left.length * right.length)
  const width = right.length + 1
  const chosen = new Array<Choice | undefined>((left.length + 1) * width)
  const sum = (tokens: readonly TitleToken[], from: number, count: number) =>
    tokens.slice(from, from + count).reduce((total, token) => total + toWeight(token), 0)
  const choose = (step: Step, i: number, j: number): Choice => {
    const agreed = step.similarity === 0 ? 0 : sum(left, i, step.takeLeft) + sum(right, j, step.takeRight)
    const next = chosen[(i + step.takeLeft) * width + j + step.takeRight]
    return { step, total: agreed * step.similarity + (next?.total ?? 0) }
  }

  for (let i = left.length - 1; i >= 0 && !budget.isSpent; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const steps = [SKIP_LEFT, SKIP_RIGHT, ...stepsAt(sides, i, j)]
      chosen[i * width + j] = bestOf(steps.map((step) => choose(step, i, j)))
    }
  }
  return tracePath(chosen, left.length, right.length)
}

/** Follows the chosen steps from the start, and lists the tokens that they skip. */
function tracePath(chosen: readonly (Choice | undefined)[], lefts: number, rights: number): Alignment {
  const left: number[] = []
  const right: number[] = []
  let similarity = 1
  let [i, j] = [0, 0]
  while (i < lefts || j < rights) {
    const step = i < lefts && j < rights ? chosen[i * (rights + 1) + j]?.step : undefined
    if (step === undefined) {
      if (i < lefts) left.push(i++)
      else right.push(j++)
      continue
    }
    if (step.similarity > 0) similarity *= step.similarity
    else if (step.takeLeft === 1) left.push(i)
    else right.push(j)
    i += step.takeLeft
    j += step.takeRight
  }
  return { left, right, similarity }
}
