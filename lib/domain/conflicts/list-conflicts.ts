import type { Filter, ObjectId } from 'mongodb'
import { distinctIds } from '../../base/values/distinct-ids.ts'
import { escapePattern } from '../../base/values/escape-pattern.ts'
import type { ConflictList, ConflictListQuery } from '../../contract/conflicts.ts'
import { Source } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import { findByIds, mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { ConflictsDeps } from './deps.ts'
import { CLOSED, narrowStage, QUEUED, STAGES, type Stage, WAITING } from './states.ts'
import { listCandidates } from './stored-values.ts'
import { findWinnerId, NAMED_GAME_FIELDS, type NamedGame, toConflictRow } from './to-wire.ts'

const DAY_MS = 24 * 60 * 60_000

const NOT_SHOWN = {
  externalData: 0,
  failure: 0,
  'candidates.matchedTitle': 0,
  'entries.details': 0,
} as const

/** Matches conflicts whose title or whose candidates' names contain a text as it stands, in any case. */
function containsText(search: string): Filter<ConflictDocument> {
  const pattern = new RegExp(escapePattern(search), 'i')
  return { $or: [{ externalName: pattern }, { 'candidates.name': pattern }, { 'entries.name': pattern }] }
}

/**
 * Lists conflicts: those that wait for a decision, then those that wait for their writing, then the rest, oldest first
 * within each. Every step is answered from an index in its order; only a search reads the records of its source and state.
 */
export async function listConflicts(
  deps: Pick<ConflictsDeps, 'db' | 'conflictCounts' | 'clock'>,
  { source, state, automatic, days, search, page, take }: ConflictListQuery,
): Promise<ConflictList> {
  const { conflicts } = deps.db
  const sources = source === undefined ? Source.options : [source]
  const all = state === undefined ? [WAITING, QUEUED, CLOSED] : [STAGES[state]]
  const stages = all.flatMap((stage) => narrowStage(stage, automatic) ?? [])
  const toFilter = ({ filter }: Stage): Filter<ConflictDocument> => ({
    source: { $in: sources },
    ...filter,
    ...(days !== undefined && { decidedAt: { $gte: new Date(deps.clock().getTime() - days * DAY_MS) } }),
    ...(search && containsText(search)),
  })

  async function countStage(stage: Stage): Promise<number> {
    if (search || days !== undefined) return await conflicts.countDocuments(toFilter(stage), { hint: stage.index })
    const bySource = await Promise.all(sources.map((counted) => deps.conflictCounts.count(stage, counted)))
    return bySource.reduce((sum, count) => sum + count, 0)
  }
  const counts = await Promise.all(stages.map(countStage))

  /** Finds the ids of a stage on the page by the index alone, because a query for whole records also reads skipped ones. */
  async function findIds(stage: Stage, index: number): Promise<ObjectId[]> {
    const before = counts.slice(0, index).reduce((sum, count) => sum + count, 0)
    const from = Math.max(0, (page - 1) * take - before)
    const to = Math.min(counts[index] ?? 0, page * take - before)
    if (from >= to) return []
    const rows = await conflicts
      .find<{ _id: ObjectId }>(toFilter(stage), { hint: stage.index, projection: { _id: 1 } })
      .sort({ createdAt: 1, _id: 1 })
      .skip(from)
      .limit(to - from)
      .toArray()
    return rows.map(({ _id }) => _id)
  }

  const found = (await Promise.all(stages.map(findIds))).flat()
  // A record that was decided between two queries is in both answers.
  const records = await findByIds<ConflictDocument>(conflicts, distinctIds(found), NOT_SHOWN)
  const gameIds = records.flatMap((record) =>
    [findWinnerId(record) ?? [], listCandidates(record).map(({ gameId }) => gameId)].flat(),
  )
  const games = await mapByIds<NamedGame>(deps.db.games, gameIds, NAMED_GAME_FIELDS)
  return {
    results: records.map((record) => toConflictRow(record, games)),
    total: counts.reduce((sum, count) => sum + count, 0),
  }
}
