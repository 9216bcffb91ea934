import { type Document, Long, ObjectId, Timestamp } from 'mongodb'
import { z } from 'zod'
import { IMPORT_END } from '../db/collections/imports.ts'
import { parseSentBy, type Sender, sentByInstance } from './sent-by.ts'

const count = z
  .union([z.number(), z.instanceof(Long).transform((value) => value.toNumber())])
  .optional()
  .catch(undefined)
const id = z.instanceof(ObjectId)

/** The fields after a change that followers read, as far as the change contains them. A value of another type reads as absent. */
const Values = z.object({
  rev: count,
  gameId: id.optional().catch(undefined),
  parentId: id.nullish().catch(undefined),
  status: z.string().optional().catch(undefined),
  likesCount: count,
  repliesCount: count,
  decision: z.string().nullish().catch(undefined),
  entryHash: z.string().optional().catch(undefined),
  changeOf: z.string().optional().catch(undefined),
})

export interface Change {
  type: string
  collection: string | undefined
  id: unknown
  /** Null for a write of another program. */
  sender: Sender | null
  /** Top-level fields that an update set, removed or shortened; null for any other change. */
  fields: readonly string[] | null
  values: z.output<typeof Values>
  /** Equal for the changes of one transaction. */
  clusterTime: Timestamp | undefined
  at: Date | null
}

const Event = z.object({
  operationType: z.string(),
  collection: z.string().optional(),
  id: z.unknown(),
  sentBy: z.string().optional().catch(undefined),
  values: Values,
  fields: z.array(z.string()).nullish(),
  wallTime: z.date().optional(),
  clusterTime: z.instanceof(Timestamp).optional(),
})

const MS = 1_000

export function parseChange(event: Document): Change {
  const { operationType: type, sentBy, fields, wallTime, ...rest } = Event.parse(event)
  const { clusterTime, collection } = rest
  return {
    ...rest,
    type,
    collection,
    clusterTime,
    sender: sentBy === undefined ? null : parseSentBy(sentBy),
    fields: fields ? [...new Set(fields.map((path) => path.split('.', 1).join()))] : null,
    at: wallTime ?? (clusterTime ? new Date(clusterTime.getHighBits() * MS) : null),
  }
}

/** True when the change may have the `rev` of an earlier write, because other programs do not increment it. */
export const isUnnumbered = ({ type, values, sender }: Change, { instance }: { instance: string }): boolean =>
  values.rev === undefined || (type === 'replace' && sender?.instance !== instance)

/** An expression for the value of a field after an update, an insertion or a replacement. */
const after = (field: string) => ({ $ifNull: [`$updateDescription.updatedFields.${field}`, `$fullDocument.${field}`] })

const mapList = (input: unknown, path: string) => ({ $map: { input: { $ifNull: [input, []] }, in: path } })

/** An expression for the paths that an update set, removed or shortened. */
export const changedPaths = {
  $concatArrays: [
    mapList({ $objectToArray: '$updateDescription.updatedFields' }, '$$this.k'),
    mapList('$updateDescription.removedFields', '$$this'),
    mapList('$updateDescription.truncatedArrays', '$$this.field'),
  ],
}

/** Matches the changes that an instance follows: of live documents, of whole collections, deleted games, and ends of imports. */
const FOLLOWED = {
  $or: [
    { 'ns.coll': { $in: ['comments', 'users', 'conflicts', 'notifications'] } },
    { 'ns.coll': 'games', operationType: 'delete' },
    { 'ns.coll': 'imports', 'documentKey._id': IMPORT_END },
    { operationType: { $in: ['drop', 'rename', 'dropDatabase', 'invalidate'] } },
  ],
}

/** Leaves out the updates of one instance, but not inserted or replaced documents, which another program may have copied. */
const notUpdatedBy = (instance: string) => ({
  'updateDescription.updatedFields.sentBy': { $not: sentByInstance(instance) },
})

/** Builds the pipeline that selects the changes that an instance follows, with its local updates if `includesLocal`. */
export const feedPipeline = (instance: string, { includesLocal }: { includesLocal: boolean }): Document[] => [
  { $match: { ...FOLLOWED, ...(!includesLocal && notUpdatedBy(instance)) } },
  {
    $project: {
      operationType: 1,
      wallTime: 1,
      clusterTime: 1,
      collection: '$ns.coll',
      id: '$documentKey._id',
      sentBy: after('sentBy'),
      values: Object.fromEntries(Object.keys(Values.shape).map((field) => [field, after(field)])),
      fields: { $cond: [{ $eq: ['$operationType', 'update'] }, changedPaths, null] },
    },
  },
]
