import type { Document, Filter, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ConflictState } from '../../contract/conflicts.ts'
import type { ConflictDecided } from '../../contract/namespaces/conflicts.ts'
import { SOURCE_POLICIES, type Source } from '../../contract/sources.ts'
import {
  BY_AUTOMATIC,
  BY_DECISION,
  BY_STATUS,
  type ConflictDocument,
} from '../../infrastructure/db/collections/conflicts.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { firstReadable } from '../../infrastructure/db/readable-documents.ts'
import { textOr } from './stored-values.ts'

export interface Stage {
  name: string
  filter: Filter<ConflictDocument>
  /** The index hint: the planner prefers the shorter index and then reads more records than the longer one finds. */
  index: Document
}

/** Also matches records that a parser stored without the field `decision`. */
export const UNDECIDED = { status: 'pending', decision: null } as const

export const WAITING: Stage = { name: 'waiting', filter: UNDECIDED, index: BY_DECISION }
export const QUEUED: Stage = {
  name: 'queued',
  filter: { status: 'pending', decision: { $in: ['match', 'skip'] } },
  index: BY_DECISION,
}
export const CLOSED: Stage = { name: 'closed', filter: { status: { $in: ['resolved', 'absent'] } }, index: BY_STATUS }

export const STAGES: Record<ConflictState, Stage> = {
  waiting: WAITING,
  'queued-match': { name: 'queued-match', filter: { status: 'pending', decision: 'match' }, index: BY_DECISION },
  'queued-new': { name: 'queued-new', filter: { status: 'pending', decision: 'skip' }, index: BY_DECISION },
  matched: { name: 'matched', filter: { status: 'resolved' }, index: BY_STATUS },
  'new-game': { name: 'new-game', filter: { status: 'absent' }, index: BY_STATUS },
}

/** Narrows a stage to the decisions of the matcher, or to all others. Null where none can be. */
export function narrowStage(stage: Stage, isAutomatic: boolean | undefined): Stage | null {
  if (isAutomatic === undefined) return stage
  if (stage === WAITING) return isAutomatic ? null : stage
  const filter = { ...stage.filter, isAutomatic: isAutomatic ? true : { $in: [null, false] } }
  const index = isAutomatic || stage.index === BY_STATUS ? BY_AUTOMATIC : stage.index
  return { name: `${stage.name} ${isAutomatic}`, filter, index }
}

/** Returns the state of a pending record, by its decision. */
export function toPendingState(decision: unknown): ConflictDecided['state'] {
  if (decision === 'match') return 'queued-match'
  return decision === 'skip' ? 'queued-new' : 'waiting'
}

export function toConflictState({ status, decision }: Pick<ConflictDocument, 'status' | 'decision'>): ConflictState {
  if (status === 'resolved') return 'matched'
  return status === 'absent' ? 'new-game' : toPendingState(decision)
}

/** True when the candidates are entries of the source, compared with a game of the catalogue. */
export const isAboutEntries = (source: Source): boolean => SOURCE_POLICIES[source].direction === 'entries'

/** @throws DomainError CONFLICT for a decided conflict, with the admin's name where the record has one */
export function assertWaiting({ externalId, status, decision, decidedBy, isAutomatic }: ConflictDocument): void {
  if (status === 'pending' && (decision ?? null) === null) return
  const decider = isAutomatic === true ? 'An automatic match' : textOr(decidedBy?.userName, 'Someone')
  throw new DomainError('CONFLICT', `${decider} has already decided ${externalId}`)
}

export const NEXT_REV = { $add: [{ $ifNull: ['$rev', 0] }, 1] }

export type ConflictName = Pick<ConflictDocument, 'source' | 'externalId'>

export const conflictId = ({ source, externalId }: ConflictName): string => `${source}/${externalId}`

export const conflictQueueKey = (conflict: ConflictName): string => `conflict:${conflictId(conflict)}`

/** Finds the oldest waiting conflict of these sources, `except` left out. */
export async function findFirstWaiting(
  { db }: { db: Pick<Database, 'conflicts'> },
  sources: readonly Source[],
  { except }: { except?: ObjectId } = {},
): Promise<ConflictName | null> {
  return await firstReadable((limit) =>
    db.conflicts
      .find<ConflictName>(
        { source: { $in: [...sources] }, ...WAITING.filter, ...(except && { _id: { $ne: except } }) },
        { projection: { source: 1, externalId: 1 }, hint: WAITING.index },
      )
      .sort({ createdAt: 1, _id: 1 })
      .limit(limit)
      .toArray(),
  )
}
