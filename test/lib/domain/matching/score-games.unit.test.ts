import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_STEPS_PER_CHECK, scoreGames } from '#lib/domain/matching/find-matches'
import { matchTitles } from '#lib/domain/matching/match-titles'
import { prepareSubject } from '#lib/domain/matching/prepare-subject'
import { createStepBudget, MAX_STEPS_PER_GAME } from '#lib/domain/matching/step-budget'
import { LIKELY_DUPLICATE_SCORE, WORTH_SHOWING_SCORE } from '#lib/domain/matching/weights'
import { craftedFamilies, craftGame, craftSubject } from '../../../matching/crafted-names.ts'
import { toGame, toSubject } from '../../../matching/evaluate.ts'
import { labelledPairs } from '../../../matching/labelled-pairs.ts'
import type { LabelledEntry } from '../../../matching/parse-pairs.ts'

/** The most steps that follow the end of a budget: a row of an alignment, or the analysis of a title. */
const OVERSHOOT = 2_000
const GAMES = 32

const stepsOf = (title: ReturnType<typeof prepareSubject>, game: ReturnType<typeof craftGame>, limit: number) => {
  const budget = createStepBudget(limit)
  matchTitles(title, game, budget)
  return budget.spent
}

describe.each(craftedFamilies)('crafted names: %s', (family) => {
  const subject = prepareSubject(craftSubject(family))
  const games = Array.from({ length: GAMES }, (_, index) => craftGame(family, index))

  test('a game costs at most its budget and the work under way, whatever its names', () => {
    const [game] = games
    if (game === undefined) throw new Error('no game')
    const atMost = MAX_STEPS_PER_GAME + OVERSHOOT

    expect(stepsOf(subject, game, MAX_STEPS_PER_GAME)).toBeLessThan(atMost)
    expect(stepsOf(subject, game, 5 * atMost)).toBeGreaterThan(4 * atMost)
  })

  test('a check costs its budget and one game, and yields to the event loop within that of two games', async () => {
    const budget = createStepBudget(MAX_STEPS_PER_CHECK)
    let [longest, last, isOver] = [0, 0, false]
    const turn = () => {
      longest = Math.max(longest, budget.spent - last)
      last = budget.spent
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await scoreGames(subject, games, { budget })
    isOver = true
    turn()

    expect(budget.spent).toBeLessThan(MAX_STEPS_PER_CHECK + MAX_STEPS_PER_GAME + OVERSHOOT)
    expect(budget.spent).toBeGreaterThan(3 * MAX_STEPS_PER_GAME)
    expect(longest).toBeLessThan(2 * MAX_STEPS_PER_GAME + OVERSHOOT)
  })
})

test('each labelled pair costs at most half of the budget of a game', () => {
  const costs = labelledPairs.map(({ a, b, id }) =>
    stepsOf(prepareSubject(toSubject(a)), toGame(b, id), Number.POSITIVE_INFINITY),
  )

  expect(Math.max(...costs)).toBeLessThan(MAX_STEPS_PER_GAME / 2)
})

test('a spent budget leaves out the remaining games', async () => {
  const [pair] = labelledPairs.filter(({ isSame }) => isSame)
  if (pair === undefined) throw new Error('no pair')
  const game = toGame(pair.b, pair.id)
  const subject = prepareSubject(toSubject(pair.a))
  const others = Array.from({ length: GAMES }, () => game)

  expect((await scoreGames(subject, others, { budget: createStepBudget(1) })).length).toBe(1)
  expect((await scoreGames(subject, others)).length).toBe(GAMES)
})

const WORDS = ['Doom', 'The', 'II', '2', 'Remake', 'Deluxe Edition', 'Kingdom', 'of', 'HD', '(2017)', ': Gold', 'Pack']
const DAYS = ['1993', '1995-06', '2006-03-03', '2007-03-03', '2009-11-02', '2016-02-01', '2017-05-05']
const TEXTS = ['A hunter walks through silent frozen valleys', 'Racing machines beneath orbital stations']
const few = (values: readonly string[], maxLength = 3) => fc.array(fc.constantFrom(...values), { maxLength })
const oneOf = (values: readonly string[]) => fc.constantFrom(...values)
const entries: fc.Arbitrary<LabelledEntry> = fc.record(
  {
    name: fc.array(oneOf(WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
    alternativeNames: few(WORDS),
    released: oneOf(DAYS),
    companies: few(['id Software', 'Nintendo', 'Ubisoft Paris', 'Ubisoft Montreal']),
    platforms: few(['win', 'mac', 'switch']),
    type: oneOf(['Main Game', 'DLC', 'Remake', 'Port', 'Bundle']),
    genres: few(['Shooter', 'Puzzle']),
    summary: oneOf(TEXTS),
  },
  { requiredKeys: ['name'] },
)

test('the bound leaves out no game that is worth showing, whatever titles and facts say', async () => {
  const lists = fc.array(entries, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(entries, lists, async (entry, list) => {
      const prepared = prepareSubject(toSubject(entry))
      const games = list.map((facts, index) => toGame(facts, `game-${index}`))
      const options = { budget: createStepBudget(Number.POSITIVE_INFINITY) }
      const all = await scoreGames(prepared, games, options)
      for (const leastScore of [WORTH_SHOWING_SCORE, LIKELY_DUPLICATE_SCORE]) {
        const bounded = await scoreGames(prepared, games, { ...options, leastScore })
        expect(bounded).toEqual(all.filter(({ score }) => score >= leastScore))
      }
    }),
    { numRuns: 500 },
  )
})
