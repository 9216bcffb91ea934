import { type Document, type Filter, ObjectId } from 'mongodb'
import { chunk } from '#lib/base/values/chunk'
import { distinctIds } from '#lib/base/values/distinct-ids'
import type { Database, FeedConnection } from '#lib/infrastructure/db/connect'
import { changedPaths } from '#lib/infrastructure/events/change'
import { HistoryLost, readChanges } from '#lib/infrastructure/events/read-changes'
import { IMPORT_INSTANCE, sentByInstance } from '#lib/infrastructure/events/sent-by'
import { createJob, type Job } from '#lib/infrastructure/jobs/create-job'
import type { Logger } from '#lib/infrastructure/observability/log'
import { completeKeys, createKinds, FACT_FIELDS, KEYS_BATCH, type Keyable, type Kind, makeBatch } from './make-keys.ts'

const NAME = 'catalogue/keys'
/** A lease and a pause are shorter together than the 5 s within which another instance continues. */
const LEASE_MS = 2_500
const PAUSE_MS = 750
/** The interval at which the stored position moves without changes, so that it does not leave the history. */
const MOVED_EVERY_MS = 10_000

/** Selects the changes after which keys may be wrong. A change that writes `nameKey` has written the other keys, too. */
const PIPELINE: Document[] = [
  {
    $match: {
      $or: [
        {
          'ns.coll': { $in: ['games', 'characters'] },
          operationType: { $in: ['insert', 'replace', 'update'] },
          'updateDescription.updatedFields.nameKey': { $exists: false },
          // An import stores documents with their keys.
          $nor: [{ operationType: 'insert', 'fullDocument.sentBy': sentByInstance(IMPORT_INSTANCE) }],
        },
        { operationType: 'invalidate' },
      ],
    },
  },
  {
    $project: {
      clusterTime: 1,
      collection: '$ns.coll',
      id: '$documentKey._id',
      fields: { $cond: [{ $eq: ['$operationType', 'update'] }, changedPaths, null] },
    },
  },
  { $match: { $or: [{ fields: null }, { fields: { $regex: `^(${FACT_FIELDS.join('|')})(\\.|$)` } }] } },
]

interface KeysDeps {
  db: Database
  log: Logger
}

async function makeKeysByIds<D extends Keyable>(kind: Kind<D>, ids: readonly ObjectId[]): Promise<number> {
  let total = 0
  for (const some of chunk(ids, KEYS_BATCH)) {
    // Every document has an `_id`.
    const { made } = await makeBatch(kind, { _id: { $in: some } } as Filter<D>)
    total += made
  }
  return total
}

async function followChanges(deps: KeysDeps, changes: readonly Document[]): Promise<void> {
  const kinds = createKinds(deps.db)
  const idsIn = (name: string) =>
    distinctIds(changes.flatMap(({ collection, id }) => (collection === name && id instanceof ObjectId ? [id] : [])))
  const games = await makeKeysByIds(kinds.games, idsIn('games'))
  const characters = await makeKeysByIds(kinds.characters, idsIn('characters'))
  if (games + characters > 0) deps.log.info({ games, characters }, 'keys made of what another program stored')
}

/** Makes the keys of documents that the stream does not bring: those without keys, or all documents after missed changes. */
async function makeMissing({ db, log }: KeysDeps, isAllDue: boolean, signal: AbortSignal): Promise<void> {
  const made = await completeKeys(db, { isAll: isAllDue, signal })
  if (isAllDue && !signal.aborted) await db.positions.updateOne({ _id: NAME }, { $unset: { isAllDue: 1 } })
  if (made.games + made.characters > 0) log.info(made, 'keys completed')
}

async function follow(deps: KeysDeps, connection: FeedConnection, signal: AbortSignal): Promise<void> {
  const { positions } = deps.db
  const { token, isAllDue = false } = (await positions.findOne({ _id: NAME })) ?? {}
  const ended = new AbortController()
  let movedAt = Number.NEGATIVE_INFINITY
  let missing: Promise<void> | undefined
  let failure: unknown
  try {
    for await (const batch of readChanges(connection, { pipeline: PIPELINE, token })) {
      // Begins once the stream is open, so that it misses no document between the two.
      missing ??= makeMissing(deps, isAllDue, AbortSignal.any([signal, ended.signal])).catch((error: unknown) => {
        failure = error
      })
      await followChanges(deps, batch.changes)
      if (failure !== undefined) throw failure
      if (batch.changes.length > 0 || performance.now() - movedAt > MOVED_EVERY_MS) {
        movedAt = performance.now()
        await positions.updateOne({ _id: NAME }, { $set: { token: batch.token } }, { upsert: true })
      }
    }
  } finally {
    ended.abort()
    await missing
  }
}

/**
 * Creates the job that makes the keys of games and characters that another program inserts, replaces or renames. The job reads
 * the change stream from the position where the last instance stopped. Repeated changes and several jobs at once do no harm.
 */
export const createKeysJob = (deps: KeysDeps): Job =>
  createJob(deps, {
    name: NAME,
    pollMs: PAUSE_MS,
    leaseMs: LEASE_MS,
    graceMs: 0,

    async run({ stopping, signal }) {
      const connection = deps.db.connectFeed()
      const ending = AbortSignal.any([stopping, signal])
      // The database holds an empty batch back for a second.
      ending.addEventListener('abort', () => void connection.client.close(true), { once: true })
      try {
        await follow(deps, connection, ending)
      } catch (error) {
        if (ending.aborted) return null
        if (!(error instanceof HistoryLost)) throw error
        deps.log.warn({ reason: String(error.cause ?? error) }, 'changes were missed: all keys are made again')
        await deps.db.positions.updateOne(
          { _id: NAME },
          { $set: { isAllDue: true }, $unset: { token: 1 } },
          { upsert: true },
        )
      } finally {
        await connection.client.close(true)
      }
      return null
    },
  })
