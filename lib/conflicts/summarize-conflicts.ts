import type { Document, ObjectId } from 'mongodb'
import type { ConflictSummary } from '../contract/conflicts.ts'
import { ConflictSource } from '../contract/conflicts-namespace.ts'
import { MAX_TIME_MS } from '../db/max-time.ts'
import type { Deps } from '../deps.ts'
import { QUEUED, WAITING } from './states.ts'

type Wanted = { source?: ConflictSource | undefined }

type Row =
  | { kind: 'waiting'; source: ConflictSource; count: number }
  | { kind: 'queued'; count: number }
  | { kind: 'first'; _id: ObjectId; source: ConflictSource; externalId: string; createdAt: Date }

// One source is one range of the index, counted as such.
const countOfWaiting = (source: ConflictSource): Document[] => [
  { $match: { source, ...WAITING.filter } },
  { $count: 'count' },
  { $set: { kind: 'waiting', source } },
]

const countOfQueued = (sources: readonly ConflictSource[]): Document[] => [
  { $match: { source: { $in: sources }, ...QUEUED.filter } },
  { $count: 'count' },
  { $set: { kind: 'queued' } },
]

const firstWaiting = (source: ConflictSource): Document[] => [
  { $match: { source, ...WAITING.filter } },
  { $sort: { createdAt: 1, _id: 1 } },
  { $limit: 1 },
  { $project: { kind: { $literal: 'first' }, source: 1, externalId: 1, createdAt: 1 } },
]

/** One command: each costs the process more than the database has to do for it. */
async function readRows({ conflicts }: Deps['db'], sources: readonly ConflictSource[]): Promise<Row[]> {
  const parts = [...ConflictSource.options.map(countOfWaiting), countOfQueued(sources), ...sources.map(firstWaiting)]
  const [first = [], ...others] = parts
  const coll = conflicts.collectionName
  const pipeline = [...first, ...others.map((part) => ({ $unionWith: { coll, pipeline: part } }))]
  return await conflicts.aggregate<Row>(pipeline, { maxTimeMS: MAX_TIME_MS }).toArray()
}

const isOlder = (a: { createdAt: Date; _id: ObjectId }, b: { createdAt: Date; _id: ObjectId }): boolean =>
  a.createdAt.getTime() === b.createdAt.getTime()
    ? a._id.toHexString() < b._id.toHexString()
    : a.createdAt.getTime() < b.createdAt.getTime()

async function readSummary({ db }: Pick<Deps, 'db'>, { source: wanted }: Wanted): Promise<ConflictSummary> {
  const sources = wanted === undefined ? ConflictSource.options : [wanted]
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
  deps: Pick<Deps, 'db' | 'conflictReads'>,
  { source }: Wanted,
): Promise<ConflictSummary> {
  return await deps.conflictReads.summaries(source ?? '', () => readSummary(deps, { source }))
}
