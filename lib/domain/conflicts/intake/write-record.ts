import { ObjectId } from 'mongodb'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { isDuplicateKey } from '#lib/infrastructure/db/duplicate-key'
import { isAnswerLost } from '#lib/infrastructure/db/is-database-unreachable'
import type { VersionedEntry } from '#lib/infrastructure/events/emitter'
import { createSentBy } from '#lib/infrastructure/events/sent-by'
import type { ConflictsDeps } from '../deps.ts'
import { type ConflictName, conflictId, NEXT_REV } from '../states.ts'

/** Matches the record in the state in which it was read. */
const asRead = ({ _id, status, decision, decisionId, entryHash, rev }: ConflictDocument) => ({
  _id,
  status,
  decision: decision ?? null,
  decisionId: decisionId ?? null,
  entryHash: entryHash ?? null,
  rev: rev ?? { $not: { $gte: 0 } },
})

/**
 * Writes the record of an entry in one command that matches it as it was read, or inserts it. The unique index refuses the
 * insertion when somebody else was first.
 * @returns null when the record has changed since
 */
export async function writeRecord(
  deps: Pick<ConflictsDeps, 'db' | 'feed' | 'instance' | 'intake' | 'failpoint'>,
  { source, externalId }: ConflictName,
  record: ConflictDocument | null,
  change: Partial<ConflictDocument>,
): Promise<VersionedEntry | null> {
  const _id = record?._id ?? new ObjectId()
  const literals = Object.entries(change).map(([field, value]) => [field, { $literal: value }])
  const $set = {
    ...Object.fromEntries(literals),
    ...(change.isAutomatic === true && { decidedAt: '$$NOW' }),
    rev: NEXT_REV,
    sentBy: createSentBy(deps),
    createdAt: { $ifNull: ['$createdAt', '$$NOW'] },
    updatedAt: '$$NOW',
  }
  const filter = { source, externalId, ...(record === null ? { _id } : asRead(record)) }
  const name = conflictId({ source, externalId })
  const begunAt = performance.now()
  deps.intake.unannounced.add(name)
  try {
    await deps.db.conflicts.updateOne(filter, [{ $set }], { upsert: true })
  } catch (error) {
    deps.intake.unannounced.delete(name)
    if (isDuplicateKey(error)) return null
    if (isAnswerLost(error)) deps.feed.answerLost(begunAt)
    throw error
  }
  await deps.failpoint('intake:written')
  return { externalId, documentId: _id.toHexString(), rev: (record?.rev ?? 0) + 1 }
}
