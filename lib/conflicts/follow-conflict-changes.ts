import { ObjectId } from 'mongodb'
import { Source } from '../contract/sources.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import { mapByIds } from '../db/find-by-ids.ts'
import type { EventVersion } from '../emitter.ts'
import type { Change } from '../events/change.ts'
import { toEvents } from '../events/to-events.ts'
import type { ConflictsDeps } from './deps.ts'
import { textOrNull } from './stored-values.ts'
import type { BatchWriter } from './writer/batch-writer.ts'

/** Fields that the difference of a change does not hold. */
const FIELDS = { source: 1, externalId: 1, decidedBy: 1, reopenedBy: 1 } as const
type Followed = Pick<ConflictDocument, '_id' | keyof typeof FIELDS>

type FollowDeps = Pick<ConflictsDeps, 'db' | 'emit' | 'conflictReads'> & { batchWriter: Pick<BatchWriter, 'wake'> }

const STATES = { match: 'queued-match', skip: 'queued-new' } as const

function tellDecided({ emit, batchWriter }: FollowDeps, record: Followed, { values }: Change): void {
  const { source, externalId, decidedBy, reopenedBy } = record
  const isQueued = values.decision === 'match' || values.decision === 'skip'
  const state = values.decision === 'match' || values.decision === 'skip' ? STATES[values.decision] : 'waiting'
  const admin = textOrNull((isQueued ? decidedBy : reopenedBy)?.userName)
  const version = { rev: values.rev, documentId: record._id.toHexString(), isRemote: true }
  emit.conflicts.decided({ source, externalId, state, decidedBy: admin }, version)
  if (isQueued) batchWriter.wake(source)
}

/**
 * Tells the admins at this instance of changes that others made, those of one source that were applied together; wakes the
 * writer.
 */
export async function followConflictChanges(deps: FollowDeps, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  deps.conflictReads.counts.expire()
  const live = changes.filter((change) => toEvents(change).length > 0)
  const ids = live.flatMap(({ id }) => (id instanceof ObjectId ? [id] : []))
  const records = await mapByIds<Followed>(deps.db.conflicts, ids, FIELDS)

  const applied = new Map<Source, { externalIds: string[]; versions: EventVersion[] }>()
  for (const change of live) {
    const record = records.get(String(change.id))
    // Deleted since, or of another program's making.
    if (!record || !Source.safeParse(record.source).success) continue
    const events = toEvents(change)
    if (events.includes('conflict:decided')) tellDecided(deps, record, change)
    if (!events.includes('conflicts:applied')) continue
    const { externalIds, versions } = applied.get(record.source) ?? { externalIds: [], versions: [] }
    externalIds.push(record.externalId)
    versions.push({ rev: change.values.rev, documentId: record._id.toHexString() })
    applied.set(record.source, { externalIds, versions })
  }
  for (const [source, { externalIds, versions }] of applied) {
    deps.emit.conflicts.applied({ source, externalIds }, { versions, isRemote: true })
  }
}
