import { setImmediate as yieldToLoop } from 'node:timers/promises'
import type { Filter, ObjectId } from 'mongodb'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { findByIds } from '../../infrastructure/db/find-by-ids.ts'
import { normalise } from '../names/normalise-name.ts'
import { buildProbes, type Probes } from './candidate-keys.ts'
import { type GameMatch, MATCH_FIELDS, type MatchedGame, type MatchSubject, type PreparedSubject } from './match.ts'
import { MAX_STEPS_PER_GAME, matchTitles } from './match-titles.ts'
import { prepareSubject, scoreMatch } from './score.ts'
import { createStepBudget, type StepBudget } from './step-budget.ts'

/** Games with a lower title signal are never shown. */
const LEAST_TITLE = 0.2
/** Several times the cost of a check in a catalogue of real games, and less than 50 ms at worst. */
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
    const gameBudget = createStepBudget(MAX_STEPS_PER_GAME)
    const title = matchTitles(prepared, game, gameBudget)
    budget.spend(gameBudget.spent)
    if (title.signal < LEAST_TITLE) continue
    matches.push(scoreMatch(prepared, game, title))
    budget.spend(STEPS_OF_FACTS)
  }
  return matches.sort(byScore)
}

type Games = Database['games']

const MAX_NAMES = 8
const MOST = { whole: 32, near: 48, parts: 12, initials: 12, pairs: 8, words: 4 } as const
/** Games read for one key. A key with as many is frequent and weighs less. */
const MAX_OF_A_KEY = 50
const MAX_CANDIDATES = 32

/** The worth of a key when candidates are picked: a game that many sure and rare keys lead to comes first. */
const WORTH = { exact: 8, whole: 6, near: 3, parts: 3, initials: 3, pairs: 2, words: 1 } as const
const FREQUENT_PART = 0.3
/** The share of a key's worth that its last game loses. */
const LAST_GAME_LOSS = 0.2

interface Probe {
  match: Filter<GameDocument>
  /** The order of the index, so that only the first games are read. */
  sort: Record<string, 1 | -1>
  worth: number
}

interface Found {
  ids: ObjectId[]
  worth: number
}

const BY_NAME = { searchRank: -1, _id: 1 } as const
const BY_WORD = { searchRank: -1, nameKey: 1, _id: 1 } as const

/** Lists the queries for candidates, those for the main name first. */
function probesFor({ main, others }: PreparedSubject): Probe[] {
  const forms = [main, ...others].slice(0, MAX_NAMES)
  const probes = forms.map(buildProbes)
  const pick = (of: keyof Probes) => [...new Set(probes.flatMap((probes) => probes[of]))].slice(0, MOST[of])
  const keys = forms.map(({ title }) => normalise(title)).filter((key) => key !== '')
  if (keys.length === 0) return []

  const together = (['whole', 'near', 'parts', 'initials'] as const).map((of) => ({ of, keys: pick(of) }))
  return [
    { match: { nameKey: { $in: keys } }, sort: BY_NAME, worth: WORTH.exact },
    { match: { alternativeKeys: { $in: keys } }, sort: BY_WORD, worth: WORTH.exact },
    ...together.map((group) => ({ match: { matchKeys: { $in: group.keys } }, sort: BY_NAME, worth: WORTH[group.of] })),
    ...pick('pairs').map((key) => ({ match: { matchKeys: key }, sort: BY_NAME, worth: WORTH.pairs })),
    ...pick('words').map((word) => ({ match: { searchWords: word }, sort: BY_WORD, worth: WORTH.words })),
  ]
}

const toStages = ({ match, sort, worth }: Probe) => [
  { $match: match },
  { $sort: sort },
  { $limit: MAX_OF_A_KEY },
  { $group: { _id: { $literal: worth }, ids: { $push: '$_id' } } },
]

async function findIds(games: Games, [first, ...others]: readonly Probe[]): Promise<Found[]> {
  if (first === undefined) return []
  const unions = others.map((subject) => ({ $unionWith: { coll: games.collectionName, pipeline: toStages(subject) } }))
  const rows = await games.aggregate<{ _id: number; ids: ObjectId[] }>([...toStages(first), ...unions]).toArray()
  return rows.map(({ _id, ids }) => ({ ids, worth: _id * rarity(ids.length) }))
}

const rarity = (count: number) => (count < MAX_OF_A_KEY ? 1 + 2 / count : FREQUENT_PART)

function pickCandidates(found: readonly Found[]): ObjectId[] {
  const picked = new Map<string, { id: ObjectId; worth: number }>()
  for (const { ids, worth } of found) {
    for (const [place, id] of ids.entries()) {
      const hex = id.toHexString()
      const entry = picked.get(hex)
      const gained = worth * (1 - (place / MAX_OF_A_KEY) * LAST_GAME_LOSS)
      if (entry === undefined) picked.set(hex, { id, worth: gained })
      else entry.worth += gained
    }
  }
  const best = [...picked].sort(([a, { worth: ofA }], [b, { worth: ofB }]) => ofB - ofA || (a < b ? -1 : 1))
  return best.slice(0, MAX_CANDIDATES).map(([, { id }]) => id)
}

/**
 * Finds the games of the catalogue that a subject may be, best first, each with its score and why. Candidates come from
 * bounded ranges of indexes, so the work grows with them and not with the catalogue.
 */
export async function findMatches(
  { db }: { db: Pick<Database, 'games'> },
  subject: MatchSubject,
  { take }: { take: number },
): Promise<GameMatch[]> {
  const prepared = prepareSubject(subject)
  await yieldToLoop()
  const found = await findIds(db.games, probesFor(prepared))
  const games = await findByIds<MatchedGame>(db.games, pickCandidates(found), MATCH_FIELDS)
  return (await scoreGames(prepared, games)).slice(0, take)
}
