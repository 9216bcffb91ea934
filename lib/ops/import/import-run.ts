import type { ClientSession, Collection, Db, Document, ObjectId } from 'mongodb'
import type { CollectionName, Database } from '../../infrastructure/db/connect.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { createSentBy, IMPORT_INSTANCE } from '../../infrastructure/events/sent-by.ts'
import { createPace } from '../../infrastructure/jobs/pace.ts'
import { mapPlatforms } from './map-platforms.ts'
import { toId, toIds } from './site-values.ts'

/** The collections of the site that become collections here under another name or with another shape. */
export const SITE_COLLECTIONS = {
  platforms: 'platforms',
  games: 'games',
  characters: 'characters',
  users: 'users',
  comments: 'gamecomments',
  contentRequests: 'contentrequests',
  conflicts: 'conflicts',
  notifications: 'notifications',
} as const
export type PartName = keyof typeof SITE_COLLECTIONS

/** A document of the site, its id converted. */
export type SiteDocument = Document & { _id: ObjectId }

export interface LeftOut {
  collection: string
  _id: unknown
  reason: string
}

export interface RunOptions {
  site: Db
  db: Database
  isWriting: boolean
  areAdminsKept: boolean
  included: ReadonlySet<PartName>
  report(document: LeftOut): void
}

/** The fields of a document that were looked up. */
export type Found<K extends string = never> = { _id: ObjectId } & Partial<Record<K, unknown>>

// Any collection can be read by ids.
export const getCollection = (db: Database, name: CollectionName) =>
  db[name] as unknown as Collection<{ _id: ObjectId }>

export type ImportRun = Awaited<ReturnType<typeof createImportRun>>

/** Marks a document or a change, so that no event announces it. */
export const importMark = () => createSentBy({ instance: IMPORT_INSTANCE })

export async function findImported(
  { db }: Pick<RunOptions, 'db'>,
  from: string,
  ids: readonly ObjectId[],
  session?: ClientSession,
): Promise<ReadonlySet<string>> {
  const options = { projection: { ids: 1 }, ...(session && { session }) }
  const batches = await db.imports.find({ ids: { $in: [...ids] }, from }, options).toArray()
  return new Set(batches.flatMap((batch) => batch.ids ?? []).map((id) => id.toHexString()))
}

export async function createImportRun(options: RunOptions) {
  const { site, db, isWriting, included } = options
  const leftOut = new Set<string>()
  const platforms = await mapPlatforms(site, db)

  return {
    ...options,
    pace: createPace(db),
    freeSlots: new Map<string, number[]>(),
    platforms,
    /** Converts the id of a platform to the one that it has here. */
    toPlatformId(value: unknown): ObjectId | null {
      const id = toId(value)
      return id && (platforms.get(id.toHexString()) ?? id)
    },
    /** Remembers a document that stays behind, because others may refer to it. */
    leaveOut(from: string, id: ObjectId): void {
      leftOut.add(`${from}/${id.toHexString()}`)
    },
    isLeftOut: (name: PartName, id: ObjectId) => leftOut.has(`${SITE_COLLECTIONS[name]}/${id.toHexString()}`),
    /** Finds stored documents by ids in any form; in a dry run also those that the import would store. */
    async lookUp<K extends string = never>(
      name: PartName & CollectionName,
      ids: readonly unknown[],
      fields: readonly K[] = [],
    ): Promise<(id: unknown) => Found<K> | undefined> {
      const wanted = toIds(ids)
      const projection = Object.fromEntries(['_id', ...fields].map((field) => [field, 1]))
      const found = new Map(await mapByIds<Found<K>>(getCollection(db, name), wanted, projection))
      const find = (id: unknown) => found.get(toId(id)?.toHexString() ?? '')
      const missing = wanted.filter((id) => !find(id))
      if (isWriting || missing.length === 0 || !included.has(name)) return find
      const from = SITE_COLLECTIONS[name]
      const deleted = await findImported(options, from, missing)
      // The site stores some ids in hex, which the type of a query does not allow.
      const forms = missing.flatMap((id) => [id, id.toHexString()]) as ObjectId[]
      const planned = await site
        .collection(from)
        .find({ _id: { $in: forms } }, { projection })
        .toArray()
      for (const document of planned) {
        const _id = toId(document._id)
        const hex = _id?.toHexString() ?? ''
        if (_id === null || deleted.has(hex) || leftOut.has(`${from}/${hex}`)) continue
        // A projection leaves its fields only.
        found.set(hex, { ...document, _id } as Found<K>)
      }
      return find
    },
  }
}
