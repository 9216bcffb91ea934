import { type Collection, type Document, type Filter, type FindOneOptions, type FindOptions, ObjectId } from 'mongodb'
import { z } from 'zod'

/** Schemas of the fields that readers rely on. Every other field is validated where it is read. */
export type ReadableFields = Readonly<Record<string, z.ZodType | undefined>>

/** The part of a document that schemas describe; an absent field is never undefined. */
export type ReadBy<F extends Record<string, z.ZodType>> = {
  [K in keyof z.output<z.ZodObject<F>>]: Exclude<z.output<z.ZodObject<F>>[K], undefined>
}

export interface UnreadableDocument {
  collection: string
  id: string
  field: string
}

export const id = z.instanceof(ObjectId)
/** Reads a value of another type as null. */
export const orNull = <S extends z.ZodType>(schema: S) => schema.nullable().catch(null)
/** Reads a value of another type as null, and accepts a document without the field. */
export const orNullish = <S extends z.ZodType>(schema: S) => schema.nullish().catch(null)
/** Reads a value of another type, also null, as absent. */
export const orAbsent = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)
/** Reads the items of a list that have the type, and leaves the others out. */
export const readableArray = <S extends z.ZodType>(item: S) =>
  z.array(z.unknown()).transform((items) => items.flatMap((value) => item.safeParse(value).data ?? []))

function isProjected(field: string, projection: Document | undefined): boolean {
  if (projection === undefined) return true
  if (field === '_id') return projection._id !== 0
  const isExclusion = Object.values(projection).every((value) => value === 0)
  return isExclusion !== field in projection
}

/** Replaces odd values of optional fields. @returns the first required field without a readable value; null when all have one */
function readFields(document: Document, fields: readonly (readonly [field: string, z.ZodType])[]): string | null {
  for (const [field, schema] of fields) {
    const read = schema.safeParse(document[field])
    if (!read.success) return field
    if (read.data === undefined) delete document[field]
    else if (field in document || read.data !== null) document[field] = read.data
  }
  return null
}

/** The number of documents that are read when the first one is unreadable. */
const SKIPPED_MAX = 100

/** Finds the first document of a query that can be read. */
export async function firstReadable<D>(read: (limit: number) => Promise<D[]>): Promise<D | null> {
  for (const limit of [1, SKIPPED_MAX]) {
    const [first] = await read(limit)
    if (first !== undefined) return first
  }
  return null
}

/** Makes `toArray` and `findOne` of a collection skip unreadable documents, which other programs may have stored. */
export function leaveOutUnreadable<D extends Document>(
  collection: Collection<D>,
  fields: ReadableFields,
  report: (document: UnreadableDocument) => void,
): Collection<D> {
  const pickReadable = <R extends Document>(documents: readonly R[], projection: Document | undefined): R[] => {
    const projected = Object.entries(fields).flatMap(([field, schema]) =>
      schema !== undefined && isProjected(field, projection) ? [[field, schema] as const] : [],
    )
    return documents.filter((document) => {
      const field = readFields(document, projected)
      if (field !== null) report({ collection: collection.collectionName, id: String(document._id), field })
      return field === null
    })
  }
  const [find, findOne] = [collection.find.bind(collection), collection.findOne.bind(collection)]

  const findReadable: typeof find = (filter: Filter<D> = {}, options: FindOptions = {}) => {
    const cursor = find(filter, options)
    const toArray = cursor.toArray.bind(cursor)
    cursor.toArray = async () => pickReadable(await toArray(), options.projection)
    return cursor
  }
  const findReadableOne: typeof findOne = async (filter: Filter<D> = {}, options: FindOneOptions = {}) => {
    const document = await findOne(filter, options)
    return (document && pickReadable([document], options.projection)[0]) ?? null
  }
  return Object.assign(collection, { find: findReadable, findOne: findReadableOne })
}
