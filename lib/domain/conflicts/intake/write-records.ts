import { MongoBulkWriteError, ObjectId } from 'mongodb'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { DUPLICATE_KEY } from '#lib/infrastructure/db/duplicate-key'
import { toLiterals } from '#lib/infrastructure/db/expressions'
import type { VersionedEntry } from '#lib/infrastructure/events/emitter'
import { createSentBy } from '#lib/infrastructure/events/sent-by'
import type { ConflictsDeps } from '../deps.ts'
import { NEXT_REV } from '../states.ts'
import type { StandingEntry } from './load-standings.ts'

type RecordWrite = Pick<StandingEntry, 'externalId' | 'record'> & { change: Partial<ConflictDocument> }

const asRead = ({ status, decision, decisionId, entryHash, rev }: ConflictDocument) => ({
  status,
  decision: decision ?? null,
  decisionId: decisionId ?? null,
  entryHash: entryHash ?? null,
  rev: rev ?? { $not: { $gte: 0 } },
})

/** Lists the writes of a bulk that the unique index refused. @throws the error when it means anything else */
function listRefused(error: unknown): ReadonlySet<number> {
  const errors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error
  return new Set(errors.map(({ index }) => index))
}

/**
 * Writes the records of entries with one command. Each write matches its record as it was read, or inserts it: the unique
 * index refuses the insertion when somebody else was first.
 * @returns the written versions by the ids of their entries; those that have changed since are missing
 */
export async function writeRecords(
  deps: Pick<ConflictsDeps, 'db' | 'feed' | 'instance' | 'failpoint'>,
  source: Source,
  writes: readonly RecordWrite[],
): Promise<ReadonlyMap<string, VersionedEntry>> {
  if (writes.length === 0) return new Map()
  const named = writes.map((write) => ({ ...write, _id: write.record?._id ?? new ObjectId() }))
  const operations = named.map(({ externalId, record, change, _id }) => {
    const $set = {
      ...toLiterals(change),
      ...(change.isAutomatic === true && { decidedAt: '$$NOW' }),
      rev: NEXT_REV,
      sentBy: createSentBy(deps),
      createdAt: { $ifNull: ['$createdAt', '$$NOW'] },
      updatedAt: '$$NOW',
    }
    const filter = { source, externalId, _id, ...(record && asRead(record)) }
    return { updateOne: { filter, update: [{ $set }], upsert: true } }
  })
  const begunAt = performance.now()
  const refused = await deps.db.conflicts
    .bulkWrite(operations, { ordered: false })
    .then(() => new Set<number>(), listRefused)
    .catch((error: unknown) => {
      deps.feed.answerLost(begunAt)
      throw error
    })
  await deps.failpoint('intake:written')
  const versions = new Map<string, VersionedEntry>()
  for (const [index, { externalId, _id, record }] of named.entries()) {
    if (refused.has(index)) continue
    versions.set(externalId, { externalId, documentId: _id.toHexString(), rev: (record?.rev ?? 0) + 1 })
  }
  return versions
}
