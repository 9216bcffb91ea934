import { setImmediate as yieldToLoop } from 'node:timers/promises'
import type { GameMatch, MatchedGame, PreparedSubject } from './match.ts'
import { MAX_STEPS_PER_GAME, matchTitles } from './match-titles.ts'
import { scoreMatch } from './score.ts'
import { createStepBudget, type StepBudget } from './step-budget.ts'

/** Titles less alike than this are never shown, whatever else agrees. */
const LEAST_TITLE = 0.2
/** Several times what a check costs in a catalogue of real games, and less than 50 ms at worst. */
export const MAX_STEPS_PER_CHECK = 48_000
/** The cost of comparing the facts besides the titles. */
const STEPS_OF_FACTS = 500
const STEPS_BETWEEN_YIELDS = 2_500

/** Sorts the best match first; the order of equal scores is stable. */
const byScore = (a: GameMatch, b: GameMatch) =>
  b.score - a.score ||
  b.breakdown.title - a.breakdown.title ||
  (a.gameId.toHexString() < b.gameId.toHexString() ? -1 : 1)

/**
 * Scores games, given the likeliest first, until the budget is spent, and lets other work run in between. Answers the
 * best first.
 */
export async function scoreGames(
  prepared: PreparedSubject,
  games: readonly MatchedGame[],
  budget: StepBudget = createStepBudget(MAX_STEPS_PER_CHECK),
): Promise<GameMatch[]> {
  const matches: GameMatch[] = []
  let yieldAt = 0
  for (const game of games) {
    if (budget.isSpent) break
    if (budget.spent >= yieldAt) {
      await yieldToLoop()
      yieldAt = budget.spent + STEPS_BETWEEN_YIELDS
    }
    const own = createStepBudget(MAX_STEPS_PER_GAME)
    const title = matchTitles(prepared, game, own)
    budget.spend(own.spent)
    if (title.signal < LEAST_TITLE) continue
    matches.push(scoreMatch(prepared, game, title))
    budget.spend(STEPS_OF_FACTS)
  }
  return matches.sort(byScore)
}
