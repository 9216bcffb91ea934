import { ObjectId } from 'mongodb'
import type { Source } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { Change } from '../../infrastructure/events/change.ts'
import type { VersionedEntry } from '../../infrastructure/events/emitter.ts'
import { toEvents } from '../../infrastructure/events/to-events.ts'
import type { ConflictsDeps } from './deps.ts'
import { toPendingState } from './states.ts'
import { textOrNull } from './stored-values.ts'
import type { BatchWriter } from './writer/batch-writer.ts'

/** Fields that a change event may lack. Records of an unknown source are not read: another program wrote them. */
const FIELDS = { source: 1, externalId: 1, status: 1, decision: 1, decidedBy: 1, reopenedBy: 1 } as const
type Followed = Pick<ConflictDocument, '_id' | keyof typeof FIELDS>

type FollowDeps = Pick<ConflictsDeps, 'db' | 'emit' | 'conflictCounts'> & {
  batchWriter: Pick<BatchWriter, 'wake'>
}

/**
 * Sends changes of other instances to the admins at this one, applied decisions of a source as one event. Wakes the writer
 * for new decisions.
 */
export async function followConflictChanges(deps: FollowDeps, changes: readonly Change[]): Promise<void> {
  const { emit, batchWriter } = deps
  deps.conflictCounts.expire()
  const live = changes
    .map((change) => ({ ...change, events: toEvents(change) }))
    .filter(({ events }) => events.length > 0)
  const ids = live.flatMap(({ id }) => (id instanceof ObjectId ? [id] : []))
  const records = await mapByIds<Followed>(deps.db.conflicts, ids, FIELDS)
  const applied = new Map<Source, VersionedEntry[]>()

  for (const { id, events, values } of live) {
    const record = records.get(String(id))
    if (record === undefined) continue
    const { source, externalId, decidedBy, reopenedBy } = record
    const version = { rev: values.rev, documentId: record._id.toHexString() }
    if (events.includes('conflict:decided')) {
      const state = toPendingState(values.decision)
      const admin = state === 'waiting' ? reopenedBy : decidedBy
      const payload = { source, externalId, state, decidedBy: textOrNull(admin?.userName) }
      emit.conflicts.decided(payload, { ...version, isRemote: true })
      if (state !== 'waiting') batchWriter.wake(source)
    }
    if (events.includes('conflicts:applied')) {
      applied.set(source, [...(applied.get(source) ?? []), { externalId, ...version }])
      if (record.status === 'pending' && toPendingState(record.decision) !== 'waiting') batchWriter.wake(source)
    }
  }
  for (const [source, entries] of applied) emit.conflicts.applied(source, entries, { isRemote: true })
}
