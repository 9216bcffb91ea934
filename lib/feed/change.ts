import { type Document, Long, ObjectId, Timestamp } from 'mongodb'
import { z } from 'zod'
import { announcedBy } from './announcement.ts'

/** A change of the database as the feed reads it. */
export interface Change {
  type: string
  /** Undefined for what concerns the whole database. */
  collection: string | undefined
  /** The changed document's; null for a change of a collection. */
  id: unknown
  said: string | null
  rev: number | null
  likesCount: number | null
  repliesCount: number | null
  /** The game of a comment that was stored as a whole, or that now belongs to another one. */
  gameId: ObjectId | null
  /** Paths that an update changed; null for any other change. */
  fields: readonly string[] | null
  /** The time of the write by the database's clock. */
  at: Date | null
}

const count = z
  .union([z.number(), z.instanceof(Long).transform((value) => value.toNumber())])
  .nullish()
  .transform((value) => value ?? null)

const Event = z.object({
  operationType: z.string(),
  collection: z.string().optional(),
  id: z.unknown(),
  said: z.string().nullish().catch(null),
  rev: count.catch(null),
  likesCount: count.catch(null),
  repliesCount: count.catch(null),
  gameId: z.instanceof(ObjectId).nullish().catch(null),
  fields: z.array(z.string()).nullish(),
  wallTime: z.date().optional(),
  clusterTime: z.instanceof(Timestamp).optional(),
})

const MS = 1_000

export function parseChange(event: Document): Change {
  const { operationType: type, collection, said, gameId, fields, wallTime, clusterTime, ...rest } = Event.parse(event)
  const at = wallTime ?? (clusterTime ? new Date(clusterTime.getHighBits() * MS) : null)
  return { ...rest, type, collection, said: said ?? null, gameId: gameId ?? null, fields: fields ?? null, at }
}

/** A field's value after the change, where the change tells it: of a replaced document as a whole, too. */
const after = (field: string) => ({ $ifNull: [`$updateDescription.updatedFields.${field}`, `$fullDocument.${field}`] })

const each = (input: string, path: string) => ({
  $map: { input: { $ifNull: [input, []] }, in: path },
})

/** The paths that an update set, removed or shortened. */
const changedPaths = {
  $concatArrays: [
    { $map: { input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } }, in: '$$this.k' } },
    each('$updateDescription.removedFields', '$$this'),
    each('$updateDescription.truncatedArrays', '$$this.field'),
  ],
}

/**
 * Picks on the server what an instance has to hear of: every change of users and comments, announced changes of conflicts,
 * announcements of their own, and games that are gone. Announcements of this instance were handled when they were made.
 */
export function feedPipeline(instance: string): Document[] {
  const own = announcedBy(instance)
  // An inserted or replaced document may be a copy that somebody else made, announcement and all.
  const byOthers = { 'updateDescription.updatedFields.said': { $not: own } }
  return [
    {
      $match: {
        $or: [
          { 'ns.coll': { $in: ['comments', 'users'] }, ...byOthers },
          {
            'ns.coll': 'conflicts',
            $or: [
              { 'updateDescription.updatedFields.said': { $exists: true, $not: own } },
              // A difference that is larger than the document is logged as a replacement.
              { operationType: 'replace' },
            ],
          },
          { 'ns.coll': 'announcements', operationType: 'insert', 'fullDocument.said': { $not: own } },
          { 'ns.coll': 'games', operationType: 'delete' },
          { operationType: { $in: ['drop', 'rename', 'dropDatabase', 'invalidate'] } },
        ],
      },
    },
    {
      $project: {
        operationType: 1,
        wallTime: 1,
        clusterTime: 1,
        collection: '$ns.coll',
        id: '$documentKey._id',
        said: after('said'),
        rev: after('rev'),
        likesCount: after('likesCount'),
        repliesCount: after('repliesCount'),
        gameId: after('gameId'),
        fields: {
          $cond: [
            { $and: [{ $eq: ['$operationType', 'update'] }, { $eq: ['$ns.coll', 'users'] }] },
            changedPaths,
            null,
          ],
        },
      },
    },
  ]
}
