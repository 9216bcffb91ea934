import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { type Filter, ObjectId } from 'mongodb'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { normalise } from '../names/normalise-name.ts'
import { buildProbes, type Probes } from './candidate-keys.ts'
import { type GameMatch, MATCH_FIELDS, type MatchedGame, type MatchSubject } from './match.ts'
import { matchTitles } from './match-titles.ts'
import { type PreparedSubject, prepareSubject } from './prepare-subject.ts'
import { boundScore, comparePlainFacts, scoreMatch } from './score.ts'
import { createStepBudget, MAX_STEPS_PER_GAME, type StepBudget } from './step-budget.ts'

/** Games with a lower title signal are never shown. */
const LEAST_TITLE = 0.2
/** Several times the cost of a check in a catalogue of real games, and less than 50 ms at worst. */
export const MAX_STEPS_PER_CHECK = 48_000
/** The cost of comparing the facts besides titles and descriptions. */
const STEPS_OF_FACTS = 100
const STEPS_OF_DESCRIPTION = 400
const STEPS_BETWEEN_YIELDS = 2_500

/** Sorts the best match first; the order of equal scores is stable. */
const byScore = (a: GameMatch, b: GameMatch) =>
  b.score - a.score ||
  b.breakdown.title - a.breakdown.title ||
  (a.gameId.toHexString() < b.gameId.toHexString() ? -1 : 1)

/**
 * Scores games until the budget is spent, in the order of the list, which begins with the likeliest. Other work runs in
 * between. The best match comes first.
 */
export async function scoreGames(
  prepared: PreparedSubject,
  games: readonly MatchedGame[],
  { budget = createStepBudget(MAX_STEPS_PER_CHECK), leastScore = 0 }: { budget?: StepBudget; leastScore?: number } = {},
): Promise<GameMatch[]> {
  const matches: GameMatch[] = []
  let yieldAt = 0
  for (const game of games) {
    if (budget.isSpent) break
    if (budget.spent >= yieldAt) {
      await yieldToLoop()
      yieldAt = budget.spent + STEPS_BETWEEN_YIELDS
    }
    budget.spend(STEPS_OF_FACTS)
    const facts = comparePlainFacts(prepared, game)
    if (leastScore > 0 && boundScore(prepared, game, facts) < leastScore) continue
    const gameBudget = createStepBudget(MAX_STEPS_PER_GAME)
    const title = matchTitles(prepared, game, gameBudget)
    budget.spend(gameBudget.spent)
    if (title.signal < LEAST_TITLE) continue
    const match = scoreMatch(prepared, game, title, facts)
    budget.spend(STEPS_OF_DESCRIPTION)
    if (match.score >= leastScore) matches.push(match)
  }
  return matches.sort(byScore)
}

type Games = Database['games']

const MAX_NAMES = 8
const MOST = { whole: 32, near: 48, parts: 12, initials: 12, pairs: 8, words: 4 } as const
/** Games read for one key. A key with as many is frequent and weighs less. */
const MAX_OF_A_KEY = 50
const MAX_CANDIDATES = 32

/** The worth of a key. The games with the highest sum of worths become candidates. */
const WORTH = { exact: 8, whole: 6, near: 3, parts: 3, initials: 3, pairs: 2, words: 1 } as const
/** The part of its worth that a frequent key keeps. */
const FREQUENT_PART = 0.3
/** The part of a key's worth that its last game loses. */
const LAST_GAME_LOSS = 0.2

interface Probe {
  match: Filter<GameDocument>
  /** The order of the index, so that only the first games are read. */
  sort: Record<string, 1 | -1>
  worth: number
}

const BY_NAME = { searchRank: -1, _id: 1 } as const
const BY_WORD = { searchRank: -1, nameKey: 1, _id: 1 } as const

/** Lists the queries for the candidates of a subject. The keys of its main name come first, so that no limit drops them. */
function probesFor({ names }: PreparedSubject): Probe[] {
  const forms = names.forms.slice(0, MAX_NAMES)
  const probes = forms.map(buildProbes)
  const pick = (kind: keyof Probes) => [...new Set(probes.flatMap((keys) => keys[kind]))].slice(0, MOST[kind])
  const keys = forms.map(({ title }) => normalise(title)).filter((key) => key !== '')
  if (keys.length === 0) return []

  const together = (['whole', 'near', 'parts', 'initials'] as const).flatMap((kind) => {
    const keys = pick(kind)
    return keys.length === 0 ? [] : { match: { matchKeys: { $in: keys } }, sort: BY_NAME, worth: WORTH[kind] }
  })
  return [
    { match: { nameKey: { $in: keys } }, sort: BY_NAME, worth: WORTH.exact },
    { match: { alternativeKeys: { $in: keys } }, sort: BY_WORD, worth: WORTH.exact },
    ...together,
    ...pick('pairs').map((key) => ({ match: { matchKeys: key }, sort: BY_NAME, worth: WORTH.pairs })),
    ...pick('words').map((word) => ({ match: { searchWords: word }, sort: BY_WORD, worth: WORTH.words })),
  ]
}

/**
 * Finds the ids of the games that each probe leads to, with one command. The ids are grouped at the end, because the database
 * spends more on a group behind each query than on the query.
 */
async function findIds(games: Games, probes: readonly Probe[]): Promise<ReadonlyMap<Probe | undefined, ObjectId[]>> {
  const [first, ...others] = probes.map(({ match, sort }, place) => [
    { $match: match },
    { $sort: sort },
    { $limit: MAX_OF_A_KEY },
    { $project: { probe: { $literal: place } } },
  ])
  if (first === undefined) return new Map()
  const unions = others.map((pipeline) => ({ $unionWith: { coll: games.collectionName, pipeline } }))
  const group = { $group: { _id: '$probe', ids: { $push: '$_id' } } }
  const rows = await games.aggregate<{ _id: number; ids: ObjectId[] }>([...first, ...unions, group]).toArray()
  return new Map(rows.map(({ _id: place, ids }) => [probes[place], ids]))
}

const rarity = (count: number) => (count < MAX_OF_A_KEY ? 1 + 2 / count : FREQUENT_PART)

function pickCandidates(found: readonly { ids: readonly ObjectId[]; worth: number }[]): string[] {
  const worths = new Map<string, number>()
  for (const { ids, worth } of found) {
    for (const [place, id] of ids.entries()) {
      const hex = id.toHexString()
      const gained = worth * rarity(ids.length) * (1 - (place / MAX_OF_A_KEY) * LAST_GAME_LOSS)
      worths.set(hex, (worths.get(hex) ?? 0) + gained)
    }
  }
  const best = [...worths].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
  return best.slice(0, MAX_CANDIDATES).map(([hex]) => hex)
}

/** Finds the candidates of all subjects with two commands, the likeliest of each subject first. */
async function findCandidates(games: Games, prepared: readonly PreparedSubject[]): Promise<MatchedGame[][]> {
  const probes = prepared.map(probesFor)
  const idsByProbe = await findIds(games, probes.flat())
  const picked = probes.map((ofSubject) =>
    pickCandidates(ofSubject.map((probe) => ({ ids: idsByProbe.get(probe) ?? [], worth: probe.worth }))),
  )
  const ids = [...new Set(picked.flat())].map((hex) => new ObjectId(hex))
  const { summary, ...fields } = MATCH_FIELDS
  const isDescribed = prepared.some(({ description }) => description.size > 0)
  const byId = await mapByIds<MatchedGame>(games, ids, { ...fields, ...(isDescribed && { summary }) })
  return picked.map((hexes) => hexes.flatMap((hex) => byId.get(hex) ?? []))
}

interface MatchOptions {
  take: number
  leastScore?: number
}

/**
 * Finds the games of the catalogue that may be the same as a subject, for several subjects, the best first. Candidates come
 * from bounded ranges of indexes, so the work does not grow with the catalogue.
 */
export async function findMatchesOfEach(
  { db }: { db: Pick<Database, 'games'> },
  subjects: readonly MatchSubject[],
  { take, leastScore = 0 }: MatchOptions,
): Promise<GameMatch[][]> {
  const prepared: PreparedSubject[] = []
  for (const subject of subjects) {
    prepared.push(prepareSubject(subject))
    await yieldToLoop()
  }
  const candidates = await findCandidates(db.games, prepared)
  const matches: GameMatch[][] = []
  for (const [index, subject] of prepared.entries()) {
    const scored = await scoreGames(subject, candidates[index] ?? [], { leastScore })
    matches.push(scored.slice(0, take))
  }
  return matches
}

/** Finds the games of the catalogue that may be the same as a subject, the best first. */
export async function findMatches(
  deps: { db: Pick<Database, 'games'> },
  subject: MatchSubject,
  options: MatchOptions,
): Promise<GameMatch[]> {
  const [matches = []] = await findMatchesOfEach(deps, [subject], options)
  return matches
}
