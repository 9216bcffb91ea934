import type { StepBudget } from '../step-budget.ts'
import { WORD_SIMILARITY } from '../weights.ts'
import type { TitleToken } from './title-tokens.ts'
import { isStopword } from './title-words.ts'
import { type Abbreviating, areRoughlyEqual, compareTokens, countInitials, findFigure } from './word-similarity.ts'

type Tokens = readonly TitleToken[]

const MAX_WORDS_OF_INITIALS = 6
const LONG_WORD = 7

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

export interface AlignOptions {
  shortened: Abbreviating
  budget: StepBudget
}

/** Takes words of both sides that agree, or skips one word of one side, with a similarity of 0. */
interface Step {
  takeLeft: number
  takeRight: number
  similarity: number
}

const SKIP_LEFT: Step = { takeLeft: 1, takeRight: 0, similarity: 0 }
const SKIP_RIGHT: Step = { takeLeft: 0, takeRight: 1, similarity: 0 }

const mayBeInitials = ({ text, kind }: TitleToken) => kind === 'word' && text.length >= 2 && text.length <= 7

/** True when the tokens may give initials: they lie in one part, or begin at the start of one. */
const isRun = (many: Tokens, at: number, count: number) =>
  many[at]?.part === many[at + count - 1]?.part ||
  many.slice(0, at).every(({ part, kind }) => part !== many[at]?.part || kind === 'stopword')

function ratePieces(word: string, pieces: readonly string[], isSpelled: boolean): number {
  const [first = '', last] = pieces
  const joined = pieces.join('')
  // `Driv3r` for `Driver 3`.
  if (pieces.length === 2 && findFigure(word, first) === last) return WORD_SIMILARITY.figure
  // `Spiderman` for `Spider-Man`.
  if (word === joined) return WORD_SIMILARITY.joined
  const isAsLong = joined.length > 6 && Math.abs(joined.length - word.length) <= 2
  // `Gensoukyou` for `Genso Kyo`.
  if (isAsLong && areRoughlyEqual(joined, word)) return WORD_SIMILARITY.romanised
  // `GTA` for `Grand Theft Auto`.
  return isSpelled ? WORD_SIMILARITY.initials : 0
}

/** Finds how many tokens of the other side, from `at` on, equal one token together: as its pieces, or by their initials. */
function matchPieces(
  one: TitleToken,
  { many, at, isShortened, budget }: { many: Tokens; at: number; isShortened: boolean; budget: StepBudget },
) {
  const first = many[at]?.text ?? ''
  if (first === '' || (first[0] !== one.text[0] && !isStopword(first))) return []
  budget.spend(STEPS.pieces)
  const most = Math.min(MAX_WORDS_OF_INITIALS, many.length - at)
  const spelled = isShortened && mayBeInitials(one) ? countInitials(one.text, many, at, most) : []
  const found: { count: number; similarity: number }[] = []
  const pieces = [first]
  for (let count = 2; count <= most; count++) {
    pieces.push(many[at + count - 1]?.text ?? '')
    if (spelled.length === 0 && pieces.join('').length > one.text.length + 2) break
    const similarity = ratePieces(one.text, pieces, spelled.includes(count) && isRun(many, at, count))
    if (similarity > 0) found.push({ count, similarity })
  }
  budget.spend(STEPS.found * found.length)
  return found
}

interface Sides extends AlignOptions {
  left: Tokens
  right: Tokens
}

/** Lists the steps that take the tokens at two places. */
function stepsAt({ left, right, shortened, budget }: Sides, i: number, j: number): Step[] {
  const [a, b] = [left[i], right[j]]
  if (a === undefined || b === undefined) return []
  if (a.text[0] === b.text[0] || (a.text.length >= LONG_WORD && b.text.length >= LONG_WORD))
    budget.spend(STEPS.likePair)
  const similarity = compareTokens(a, b, shortened)
  const one = similarity > 0 ? [{ takeLeft: 1, takeRight: 1, similarity }] : []
  if (similarity === 1) return one
  const byLeft = matchPieces(a, { many: right, at: j, isShortened: shortened.left, budget })
  const byRight = matchPieces(b, { many: left, at: i, isShortened: shortened.right, budget })
  return [
    ...one,
    ...byLeft.map(({ count, similarity }) => ({ takeLeft: 1, takeRight: count, similarity })),
    ...byRight.map(({ count, similarity }) => ({ takeLeft: count, takeRight: 1, similarity })),
  ]
}

/** Counts the equal tokens at the beginning of two titles. */
function countEqual(left: Tokens, right: Tokens): number {
  const end = left.findIndex(({ text }, at) => text !== right[at]?.text)
  return end < 0 ? left.length : end
}

/**
 * Aligns the tokens of two titles in their order, so that the most weight agrees. Equal tokens at both ends are aligned
 * first, and no others once the budget is spent.
 * @returns the tokens that the other side lacks, and the similarity of the aligned words: 1 when all are equal
 */
export function alignTitles(left: Tokens, right: Tokens, options: AlignOptions) {
  const start = countEqual(left, right)
  const [restLeft, restRight] = [left.slice(start), right.slice(start)]
  const end = countEqual(restLeft.toReversed(), restRight.toReversed())
  options.budget.spend(STEPS.alignment + STEPS.word * (left.length + right.length))
  return alignMiddles({
    left: restLeft.slice(0, restLeft.length - end),
    right: restRight.slice(0, restRight.length - end),
    ...options,
  })
}

/** A step from a place, with the total weight of the best path behind it. */
interface Choice {
  step: Step
  total: number
}

/** Picks the choice of most weight, the first of equals. */
const bestOf = (choices: readonly Choice[]): Choice =>
  choices.reduce((best, choice) => (choice.total > best.total ? choice : best))

/** Chooses the best step at each place, from the last place to the first, then follows the steps from the first. */
function alignMiddles(sides: Sides) {
  const { left, right, budget } = sides
  if (!budget.isSpent) budget.spend(STEPS.pair * left.length * right.length)
  const width = right.length + 1
  const chosen = new Array<Choice | undefined>((left.length + 1) * width)
  const weigh = (tokens: Tokens, from: number, count: number) =>
    tokens.slice(from, from + count).reduce((total, { kind }) => total + (kind === 'stopword' ? 0.2 : 1), 0)
  const choose = (step: Step, i: number, j: number): Choice => {
    const agreed = step.similarity === 0 ? 0 : weigh(left, i, step.takeLeft) + weigh(right, j, step.takeRight)
    const next = chosen[(i + step.takeLeft) * width + j + step.takeRight]
    return { step, total: agreed * step.similarity + (next?.total ?? 0) }
  }

  for (let i = left.length - 1; i >= 0 && !budget.isSpent; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const steps = [SKIP_LEFT, SKIP_RIGHT, ...stepsAt(sides, i, j)]
      chosen[i * width + j] = bestOf(steps.map((step) => choose(step, i, j)))
    }
  }

  const missing: Record<'left' | 'right', TitleToken[]> = { left: [], right: [] }
  let similarity = 1
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    const step = chosen[i * width + j]?.step ?? SKIP_LEFT
    if (step.similarity > 0) {
      similarity *= step.similarity
    } else {
      missing.left.push(...left.slice(i, i + step.takeLeft))
      missing.right.push(...right.slice(j, j + step.takeRight))
    }
    i += step.takeLeft
    j += step.takeRight
  }
  return {
    left: [...missing.left, ...left.slice(i)],
    right: [...missing.right, ...right.slice(j)],
    similarity,
  }
}
