import { MongoClient } from 'mongodb'
import { buildGameKeys } from '../../lib/domain/catalogue/games/insert-game.ts'
import { findMatches } from '../../lib/domain/matching/find-matches.ts'
import type { MatchSubject } from '../../lib/domain/matching/match.ts'
import type { GameDocument } from '../../lib/infrastructure/db/collections/games.ts'
import { type Database, openDatabase } from '../../lib/infrastructure/db/connect.ts'
import { type CraftedFamily, craftedFamilies, craftGame, craftSubject } from '../matching/crafted-names.ts'
import { evaluate, evaluateAutomatic, toSubject } from '../matching/evaluate.ts'
import { heldOutPairs, publicPairs, tuningPairs } from '../matching/labelled-pairs.ts'
import type { LabelledPair } from '../matching/parse-pairs.ts'
import { randomFrom } from '../support/tools/random.ts'
import { fillCatalogue, mistype } from './catalogue.ts'
import { type Examined, examine } from './examine.ts'
import { measureByTurns, percentile, timeOf } from './load.ts'
import { heading, line, ratio } from './report.ts'
import { prepareBenchDatabase } from './scene.ts'

const SMALL = 10_000
const LARGE = 100_000
const WARM_UP = 60
const CHECKS = 500
const PROFILED = 100
const TAKE = 10

const PRECISION = 0.98
const RECALL = 0.95
const WRONG = 0.001
const FULL_MATCHED = 0.6
const P95_MS = 30

const CRAFTED_GAMES = 40
const CRAFTED_ROUNDS = 15
const CRAFTED_CPU_MS = 50
const CRAFTED_HELD_MS = 10

function printLabelled(): void {
  heading('Duplicate matcher: labelled pairs of real games')
  const tuned = evaluate(tuningPairs)
  line(
    `tuning half, ${tuningPairs.length} pairs`,
    `precision ${tuned.precision.toFixed(3)}, recall ${tuned.recall.toFixed(3)}`,
  )
  const { precision, recall } = evaluate(heldOutPairs)
  line(`held-out half, ${heldOutPairs.length} pairs`, `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`)
  ratio('held-out precision', precision, { atLeast: PRECISION })
  ratio('held-out recall', recall, { atLeast: RECALL })
  printAutomatic('held-out half', heldOutPairs)
  printAutomatic('public reports', publicPairs)
}

/** Prints the matches without a person, whose errors readers see at once. */
function printAutomatic(name: string, pairs: readonly LabelledPair[]): void {
  const { matched, wrong, contradicted, full, fullMatched } = evaluateAutomatic(pairs)
  line(`${name}, matched automatically`, `${matched} of ${pairs.length}`)
  ratio(`${name}, of these wrong`, wrong / Math.max(1, matched), { atMost: WRONG })
  ratio(`${name}, of these against a date, company or type`, contradicted, { atMost: 0 })
  ratio(`${name}, part of equal pairs with date and company`, fullMatched / full, { atLeast: FULL_MATCHED })
}

interface Cost extends Examined {
  p50: number
  p95: number
}

/** Picks queries for games of this catalogue, and for others. */
async function pickSubjects(db: Database): Promise<MatchSubject[]> {
  const random = randomFrom(7)
  const rows = await db.games
    .find({}, { projection: { name: 1, first_release: 1 } })
    .sort({ slug: 1 })
    .limit(5_000)
    .toArray()
  const generated = Array.from({ length: CHECKS / 2 }, () => rows[Math.floor(random() * rows.length)]).map((row) => ({
    name: mistype(row?.name ?? '', random),
    released: new Date((row?.first_release ?? 0) * 1_000).toISOString().slice(0, 10),
  }))
  const real = tuningPairs.slice(0, CHECKS - generated.length).map(({ a }) => toSubject(a))
  return generated.flatMap((subject, index) => [subject, real[index] ?? []].flat())
}

async function measure(db: Database, uri: string): Promise<Cost> {
  const subjects = await pickSubjects(db)
  const check = (subject: MatchSubject) => findMatches({ db }, subject, { take: TAKE })
  const times: number[] = []
  for (const subject of subjects.slice(0, WARM_UP)) await check(subject)
  for (const subject of subjects) times.push(await timeOf(() => check(subject)))
  const client = new MongoClient(uri)
  const { keys, documents } = await examine(client.db(db.games.dbName), async () => {
    for (const subject of subjects.slice(0, PROFILED)) await check(subject)
  })
  await client.close()
  const examined = { keys: keys / PROFILED, documents: documents / PROFILED }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), ...examined }
}

function print(small: Cost, large: Cost): void {
  heading(`findMatches with ${SMALL} and with ${LARGE} games`)
  const sides = (of: keyof Cost, digits: number) => `${small[of].toFixed(digits)} and ${large[of].toFixed(digits)}`
  line('p50, ms', sides('p50', 1))
  line('p95, ms', sides('p95', 1))
  line('index entries examined per check', sides('keys', 0))
  line('documents read per check', sides('documents', 0))
  ratio(`p95 with ${LARGE} games, ms`, large.p95, { atMost: P95_MS })
  ratio('index entries, large / small', large.keys / small.keys, { atMost: 2 })
}

interface CraftedCost {
  cpu: number
  /** The longest time that other work waits. */
  held: number
}

async function measureCrafted(db: Database, family: CraftedFamily): Promise<CraftedCost> {
  const now = new Date()
  await db.games.deleteMany({})
  await db.games.insertMany(
    Array.from({ length: CRAFTED_GAMES }, (_, index): GameDocument => {
      const game = craftGame(family, index)
      return { ...game, ...buildGameKeys(game), createdAt: now, updatedAt: now }
    }),
  )
  const check = () => findMatches({ db }, craftSubject(family), { take: TAKE })
  const measures = {
    cpu: async () => ({ ms: await measureCpu(check) }),
    held: async () => ({ ms: await measureLongestTurn(check) }),
  }
  const medianOf = await measureByTurns(measures, { rounds: CRAFTED_ROUNDS })
  return { cpu: medianOf('cpu', 'ms'), held: medianOf('held', 'ms') }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs()
  await work()
  return cpuMs() - before
}

/** The most CPU between two turns of the loop: the clock would also count what other processes took. */
async function measureLongestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isOver] = [0, cpuMs(), false]
  const turn = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return longest
}

/** Measures names that are crafted to cost as much as possible. */
async function benchCrafted(uri: string): Promise<void> {
  const db = openDatabase(await prepareBenchDatabase(uri, 'matching-crafted'))
  const costs: CraftedCost[] = []
  heading('findMatches with names crafted to hold up the process')
  for (const family of craftedFamilies) {
    const cost = await measureCrafted(db, family)
    costs.push(cost)
    line(family, `${cost.cpu.toFixed(0)} ms of CPU, ${cost.held.toFixed(0)} ms in one turn of the loop`)
  }
  ratio('worst check, ms of CPU', Math.max(...costs.map(({ cpu }) => cpu)), { atMost: CRAFTED_CPU_MS })
  ratio('longest turn of the loop, ms of CPU', Math.max(...costs.map(({ held }) => held)), { atMost: CRAFTED_HELD_MS })
  await db.close()
}

/** Measures the quality of the matcher, and the cost of a check in a small and in a large catalogue. */
export async function benchMatching(uri: string): Promise<void> {
  printLabelled()
  await benchCrafted(uri)
  const openSized = async (size: number) => {
    const benchUri = await prepareBenchDatabase(uri, `matching-${size}`)
    await fillCatalogue(benchUri, size)
    return openDatabase(benchUri)
  }
  const [small, large] = [await openSized(SMALL), await openSized(LARGE)]
  print(await measure(small, uri), await measure(large, uri))
  await Promise.all([small.close(), large.close()])
}
