import { ObjectId } from 'mongodb'
import { Source } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { Change } from '../../infrastructure/events/change.ts'
import { toEvents } from '../../infrastructure/events/to-events.ts'
import type { ConflictsDeps } from './deps.ts'
import { toConflictState } from './states.ts'
import { textOrNull } from './stored-values.ts'
import type { BatchWriter } from './writer/batch-writer.ts'

/** Fields that a change event may lack. */
const FIELDS = { source: 1, externalId: 1, status: 1, decision: 1, decidedBy: 1, reopenedBy: 1 } as const
type Followed = Pick<ConflictDocument, '_id' | keyof typeof FIELDS>

type FollowDeps = Pick<ConflictsDeps, 'db' | 'emit' | 'conflictCounts'> & {
  batchWriter: Pick<BatchWriter, 'wake'>
}

const QUEUED_STATES = new Map<unknown, 'queued-match' | 'queued-new'>([
  ['match', 'queued-match'],
  ['skip', 'queued-new'],
])

const toVersion = (record: Followed, { values: { rev } }: Change) => ({ rev, documentId: record._id.toHexString() })

function sendDecided({ emit, batchWriter }: FollowDeps, record: Followed, change: Change): void {
  const { source, externalId, decidedBy, reopenedBy } = record
  const queued = QUEUED_STATES.get(change.values.decision)
  const admin = textOrNull((queued ? decidedBy : reopenedBy)?.userName)
  emit.conflicts.decided(
    { source, externalId, state: queued ?? 'waiting', decidedBy: admin },
    { ...toVersion(record, change), isRemote: true },
  )
  if (queued) batchWriter.wake(source)
}

/**
 * Sends changes of other instances to the admins at this one, applied decisions of a source as one event. Wakes the writer
 * for new decisions.
 */
export async function followConflictChanges(deps: FollowDeps, changes: readonly Change[]): Promise<void> {
  deps.conflictCounts.expire()
  const live = changes.map((change) => ({ change, events: toEvents(change) })).filter(({ events }) => events.length > 0)
  const ids = live.flatMap(({ change: { id } }) => (id instanceof ObjectId ? [id] : []))
  const records = await mapByIds<Followed>(deps.db.conflicts, ids, FIELDS)
  const found = live.flatMap(({ change, events }) => {
    const record = records.get(String(change.id))
    return record ? [{ record, change, events }] : []
  })

  // Records of an unknown source are skipped: another program wrote them.
  for (const source of Source.options) {
    const ofSource = found.filter(({ record }) => record.source === source)
    for (const { record, change, events } of ofSource) {
      if (events.includes('conflict:decided')) sendDecided(deps, record, change)
    }
    const applied = ofSource.filter(({ events }) => events.includes('conflicts:applied'))
    if (applied.length === 0) continue
    const entries = applied.map(({ record, change }) => ({
      externalId: record.externalId,
      ...toVersion(record, change),
    }))
    deps.emit.conflicts.applied(source, entries, { isRemote: true })
    if (applied.some(({ record }) => toConflictState(record).startsWith('queued'))) deps.batchWriter.wake(source)
  }
}
