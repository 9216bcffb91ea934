import type { Document, ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictSummary } from '../contract/conflicts.ts'
import { Source } from '../contract/sources.ts'
import type { Database } from '../db/connect.ts'
import type { ConflictReads } from './conflict-reads.ts'
import { QUEUED, WAITING } from './states.ts'

type SummarizeConflictsInput = { source?: Source | undefined }

type Row =
  | { kind: 'waiting'; source: Source; count: number }
  | { kind: 'queued'; count: number }
  | { kind: 'first'; _id: ObjectId; source: Source; externalId: string; createdAt: Date }

// A source is a range of the index, counted as such.
const countOfWaiting = (source: Source): Document[] => [
  { $match: { source, ...WAITING.filter } },
  { $count: 'count' },
  { $set: { kind: 'waiting', source } },
]

const countOfQueued = (sources: readonly Source[]): Document[] => [
  { $match: { source: { $in: sources }, ...QUEUED.filter } },
  { $count: 'count' },
  { $set: { kind: 'queued' } },
]

const firstWaiting = (source: Source): Document[] => [
  { $match: { source, ...WAITING.filter } },
  { $sort: { createdAt: 1, _id: 1 } },
  { $limit: 1 },
  { $project: { kind: { $literal: 'first' }, source: 1, externalId: 1, createdAt: 1 } },
]

/** Counts in a single command: each costs the process more than it costs the database. */
async function readRows({ conflicts }: Database, sources: readonly Source[]): Promise<Row[]> {
  const parts = [...Source.options.map(countOfWaiting), countOfQueued(sources), ...sources.map(firstWaiting)]
  const [first = [], ...others] = parts
  const coll = conflicts.collectionName
  const pipeline = [...first, ...others.map((part) => ({ $unionWith: { coll, pipeline: part } }))]
  return await conflicts.aggregate<Row>(pipeline, { maxTimeMS: MAX_TIME_MS }).toArray()
}

const isOlder = (a: { createdAt: Date; _id: ObjectId }, b: { createdAt: Date; _id: ObjectId }): boolean =>
  a.createdAt.getTime() === b.createdAt.getTime()
    ? a._id.toHexString() < b._id.toHexString()
    : a.createdAt.getTime() < b.createdAt.getTime()

async function readSummary(
  { db }: { db: Database },
  { source: wanted }: SummarizeConflictsInput,
): Promise<ConflictSummary> {
  const sources = wanted === undefined ? Source.options : [wanted]
  const rows = await readRows(db, sources)
  const bySource = { vndb: 0, igdb: 0, hltb: 0, ra: 0 }
  for (const row of rows) if (row.kind === 'waiting') bySource[row.source] = row.count
  const [first] = rows.filter((row) => row.kind === 'first').sort((a, b) => (isOlder(a, b) ? -1 : 1))

  return {
    pending: sources.reduce((sum, each) => sum + bySource[each], 0),
    applying: rows.find((row) => row.kind === 'queued')?.count ?? 0,
    firstExternalId: first?.externalId ?? null,
    firstSource: first?.source ?? null,
    bySource,
  }
}

/** Counts what waits for a decision and what waits for its writing, of one source or of all. */
export async function summarizeConflicts(
  deps: { db: Database; conflictReads: ConflictReads },
  input: SummarizeConflictsInput,
): Promise<ConflictSummary> {
  return await deps.conflictReads.summaries(input, (input) => readSummary(deps, input))
}
