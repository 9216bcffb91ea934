import { createStepBudget, type StepBudget } from '../step-budget.ts'
import { WORDS_ALIKE } from '../weights.ts'
import type { TitleToken } from './title-tokens.ts'
import { isSmall } from './title-words.ts'
import { areRoughlyEqual, countInitials, likeness, type Shortened } from './word-similarity.ts'

export interface Alignment {
  /** The tokens of each side that the other side has not, by their place. */
  left: readonly number[]
  right: readonly number[]
  /** How alike the words are that were held against each other: 1 when all are equal. */
  alikeness: number
}

const MOST_WORDS_OF_INITIALS = 6
const EITHER: Shortened = { left: true, right: true }

const isShort = ({ text, is }: TitleToken) => is === 'word' && text.length >= 2 && text.length <= 7

const weightOf = ({ is }: TitleToken) => (is === 'small' ? 0.2 : 1)

/** Whether initials may be made of these: they do not begin in the midst of a part to end in the next. */
const isRun = (many: readonly TitleToken[], at: number, count: number) =>
  many[at]?.part === many[at + count - 1]?.part ||
  many.slice(0, at).every(({ part, is }) => part !== many[at]?.part || is === 'small')

/** Steps in the measure of what telling two unlike words apart costs. */
const STEPS = {
  alignment: 32,
  /** A word of either side. */
  word: 2,
  pair: 1,
  /** Two words that begin alike, or are long. */
  likePair: 6,
  /** A word held against several that may be it in pieces, or spell it with their first letters. */
  pieces: 10,
  /** A way in which they are. */
  found: 5,
} as const
const LONG_WORD = 7

interface AlignOptions {
  shortened?: Shortened | undefined
  budget?: StepBudget | undefined
}

interface Step {
  /** Tokens taken of each side. */
  takeLeft: number
  takeRight: number
  likeness: number
}

const NONE: readonly [count: number, likeness: number][] = []
const BOTH_EQUAL: Step = { takeLeft: 1, takeRight: 1, likeness: 1 }
const SKIP_LEFT: Step = { takeLeft: 1, takeRight: 0, likeness: 0 }
const SKIP_RIGHT: Step = { takeLeft: 0, takeRight: 1, likeness: 0 }

/** The ways in which one token stands for several of the other side that begin at a place. */
function standsFor(
  one: TitleToken,
  {
    many,
    at,
    isShortened,
    budget,
  }: { many: readonly TitleToken[]; at: number; isShortened: boolean; budget: StepBudget },
): readonly [count: number, likeness: number][] {
  let joined = many[at]?.text ?? ''
  if (joined === '' || (joined[0] !== one.text[0] && !isSmall(joined))) return NONE
  budget.spend(STEPS.pieces)
  const found: [number, number][] = []
  const most = Math.min(MOST_WORDS_OF_INITIALS, many.length - at)
  const counts = isShortened && isShort(one) ? countInitials(one.text, many, at, most) : []
  for (let count = 2; count <= most; count++) {
    if (joined.length <= one.text.length + 2) joined += many[at + count - 1]?.text
    if (joined === one.text) found.push([count, WORDS_ALIKE.joined])
    else if (Math.abs(joined.length - one.text.length) <= 2 && joined.length > 6 && areRoughlyEqual(joined, one.text)) {
      found.push([count, WORDS_ALIKE.romanised])
    } else if (counts.includes(count) && isRun(many, at, count)) found.push([count, WORDS_ALIKE.initials])
  }
  budget.spend(STEPS.found * found.length)
  return found
}

interface Sides {
  left: readonly TitleToken[]
  right: readonly TitleToken[]
  shortened: Shortened
  budget: StepBudget
}

function stepsAt({ left, right, shortened, budget }: Sides, i: number, j: number): Step[] {
  const [a, b] = [left[i], right[j]]
  if (a === undefined || b === undefined) return []
  if (a.text[0] === b.text[0] || (a.text.length >= LONG_WORD && b.text.length >= LONG_WORD))
    budget.spend(STEPS.likePair)
  const alike = likeness(a, b, shortened)
  if (alike === 1) return [BOTH_EQUAL]
  const steps = alike > 0 ? [{ takeLeft: 1, takeRight: 1, likeness: alike }] : []
  for (const [count, found] of standsFor(a, { many: right, at: j, isShortened: shortened.left, budget }))
    steps.push({ takeLeft: 1, takeRight: count, likeness: found })
  for (const [count, found] of standsFor(b, { many: left, at: i, isShortened: shortened.right, budget }))
    steps.push({ takeLeft: count, takeRight: 1, likeness: found })
  return steps
}

/**
 * Holds the tokens of two titles against each other, in their order, so that as much as can be is alike. Once the budget
 * is spent, no more tokens agree but equal ones at both ends.
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
  const middle = budget.isSpent ? leaveOut(sides) : alignMiddles(sides)
  const places = (found: readonly number[]) => found.map((place) => place + start)
  return { ...middle, left: places(middle.left), right: places(middle.right) }
}

/** How many tokens are equal from one end on: most titles that are compared begin or end alike. */
function countEqual(
  left: readonly TitleToken[],
  right: readonly TitleToken[],
  tokenAt: (tokens: readonly TitleToken[], at: number) => TitleToken | undefined,
): number {
  let count = 0
  while (tokenAt(left, count) !== undefined && tokenAt(left, count)?.text === tokenAt(right, count)?.text) count++
  return count
}

const leaveOut = ({ left, right }: Pick<Sides, 'left' | 'right'>): Alignment => ({
  left: [...left.keys()],
  right: [...right.keys()],
  alikeness: 1,
})

function alignMiddles(sides: Sides): Alignment {
  const { left, right, budget } = sides
  if (left.length === 0 || right.length === 0) return leaveOut(sides)
  budget.spend(STEPS.pair * left.length * right.length)
  const width = right.length + 1
  const best = new Float64Array((left.length + 1) * width)
  const chosen = new Array<Step | undefined>(best.length)
  const sum = (tokens: readonly TitleToken[], from: number, count: number) =>
    tokens.slice(from, from + count).reduce((total, token) => total + weightOf(token), 0)

  for (let i = left.length - 1; i >= 0 && !budget.isSpent; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const [skipLeft, skipRight] = [best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0]
      let most = Math.max(skipLeft, skipRight)
      let choice = skipLeft >= skipRight ? SKIP_LEFT : SKIP_RIGHT
      for (const step of stepsAt(sides, i, j)) {
        const gained = (sum(left, i, step.takeLeft) + sum(right, j, step.takeRight)) * step.likeness
        const total = gained + (best[(i + step.takeLeft) * width + j + step.takeRight] ?? 0)
        if (total <= most) continue
        most = total
        choice = step
      }
      best[i * width + j] = most
      chosen[i * width + j] = choice
    }
  }
  return follow(chosen, left.length, right.length)
}

function follow(chosen: readonly (Step | undefined)[], lefts: number, rights: number): Alignment {
  const left: number[] = []
  const right: number[] = []
  let alikeness = 1
  let [i, j] = [0, 0]
  while (i < lefts || j < rights) {
    const step = i < lefts && j < rights ? chosen[i * (rights + 1) + j] : undefined
    if (step === undefined) {
      if (i < lefts) left.push(i++)
      else right.push(j++)
      continue
    }
    if (step.likeness > 0) alikeness *= step.likeness
    else if (step.takeLeft === 1) left.push(i)
    else right.push(j)
    i += step.takeLeft
    j += step.takeRight
  }
  return { left, right, alikeness }
}
