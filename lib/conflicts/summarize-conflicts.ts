import type { Document, ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictSummary } from '../contract/conflicts.ts'
import { Source } from '../contract/sources.ts'
import type { Database } from '../db/connect.ts'
import type { ConflictReads, SummaryInput } from './conflict-reads.ts'
import { QUEUED, WAITING } from './states.ts'

interface First {
  _id: ObjectId
  source: Source
  externalId: string
  createdAt?: Date
}

const firstWaiting = (source: Source): Document[] => [
  { $match: { source, ...WAITING.filter } },
  { $sort: { createdAt: 1, _id: 1 } },
  { $limit: 1 },
  { $project: { source: 1, externalId: 1, createdAt: 1 } },
]

/** Finds the first of each source with a single command. */
async function findFirsts({ conflicts }: Database, sources: readonly Source[]): Promise<First[]> {
  const [first = [], ...others] = sources.map(firstWaiting)
  const coll = conflicts.collectionName
  const pipeline = [...first, ...others.map((part) => ({ $unionWith: { coll, pipeline: part } }))]
  return await conflicts.aggregate<First>(pipeline, { maxTimeMS: MAX_TIME_MS }).toArray()
}

/** One without a date is first, as in the index. */
const toCreationTime = ({ createdAt }: First) => createdAt?.getTime() ?? Number.NEGATIVE_INFINITY

const isOlder = (a: First, b: First): boolean =>
  toCreationTime(a) === toCreationTime(b)
    ? a._id.toHexString() < b._id.toHexString()
    : toCreationTime(a) < toCreationTime(b)

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

async function readSummary(
  { db, conflictReads: { counts } }: { db: Database; conflictReads: ConflictReads },
  { source: wanted, isRecent = false }: SummaryInput,
): Promise<ConflictSummary> {
  const sources = wanted === undefined ? Source.options : [wanted]
  const count = isRecent ? counts.recent : counts.exact
  const [firsts, waiting, queued] = await Promise.all([
    findFirsts(db, sources),
    Promise.all(Source.options.map((source) => count(WAITING, source))),
    Promise.all(sources.map((source) => count(QUEUED, source))),
  ])
  const bySource = { vndb: 0, igdb: 0, hltb: 0, ra: 0 }
  for (const [index, source] of Source.options.entries()) bySource[source] = waiting[index] ?? 0
  const [first] = firsts.sort((a, b) => (isOlder(a, b) ? -1 : 1))

  return {
    pending: sum(sources.map((source) => bySource[source])),
    applying: sum(queued),
    firstExternalId: first?.externalId ?? null,
    firstSource: first?.source ?? null,
    bySource,
  }
}

/** Counts what waits for a decision and what waits for its writing, of one source or of all. */
export async function summarizeConflicts(
  deps: { db: Database; conflictReads: ConflictReads },
  input: SummaryInput,
): Promise<ConflictSummary> {
  const { source, isRecent = false } = input
  return await deps.conflictReads.summaries({ source, isRecent }, (input) => readSummary(deps, input))
}
