import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { Id } from '../../contract/ids.ts'

/** Converts a stored value to the form that is sent: ids in hex, dates in ISO 8601, one out of range as null. */
function toSent(value: unknown): unknown {
  if (value instanceof ObjectId) return value.toHexString()
  return value instanceof Date ? value.toJSON() : value
}

function pick(schema: unknown, value: unknown): unknown {
  const sent = toSent(value)
  // Most values are plain, and `instanceof` of a schema is slow.
  if (typeof sent !== 'object' || sent === null) return sent
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return pick(schema.unwrap(), sent)
  if (schema instanceof z.ZodArray && Array.isArray(sent)) return sent.map((item) => pick(schema.element, item))
  return schema instanceof z.ZodObject ? pickFields(schema, sent) : sent
}

/** Answers the value of a field that a document lacks; undefined where the contract lacks it, too. */
function valueOfAbsent({ def }: z.ZodType): null | [] | undefined {
  if (def.type === 'nullable' || def.type === 'null') return null
  return def.type === 'array' ? [] : undefined
}

function pickFields({ shape }: z.ZodObject, document: object): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const [key, field] of Object.entries<z.ZodType>(shape)) {
    const stored: unknown = Object.hasOwn(document, key) ? Reflect.get(document, key) : undefined
    const value = stored ?? valueOfAbsent(field)
    if (value !== undefined) picked[key] = pick(field, value)
  }
  return picked
}

/** Makes the projection of the fields that the contract declares. */
export const toProjection = ({ shape }: z.ZodObject): Record<string, 1> =>
  Object.fromEntries(Object.keys(shape).map((field) => [field, 1]))

/** Fills in the times that another program left out. The time of the creation comes from the id. */
export function withTimes<D extends { _id: ObjectId; createdAt?: Date; updatedAt?: Date }>(document: D) {
  const { createdAt = document._id.getTimestamp(), updatedAt = createdAt } = document
  return { ...document, createdAt, updatedAt }
}

/**
 * Picks the fields that the contract declares, at every depth, in the form that is sent. A field that is absent or null is
 * absent, null or an empty list, as its schema says. Every other field is left out. Values are not validated, because an odd
 * value of another program must not make its document unreadable.
 */
export function toContract<S extends z.ZodObject>(schema: S, document: object): z.output<S> {
  // The document's own type is held against the contract where it is stored.
  return pickFields(schema, document) as z.output<S>
}

const EMPTY_VALUES = [null, '', 0, false, undefined]

/** Converts a stored id where the contract has an id. A text field takes neither an id nor a date. */
const toRead = (schema: unknown, value: unknown) =>
  schema === Id && value instanceof ObjectId ? value.toHexString() : value

function read(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape)
    return Object.fromEntries(fields.map(([key, field]) => [key, read(field, Object(value)[key])]))
  }
  if (schema instanceof z.ZodArray) {
    const items = Array.isArray(value) ? value : []
    const { element } = schema
    return items.flatMap((item) => z.safeParse(element, toRead(element, item)).data ?? [])
  }
  const values = value === '' ? EMPTY_VALUES : [toRead(schema, value), ...EMPTY_VALUES]
  for (const candidate of values) {
    const { success, data } = schema.safeParse(candidate)
    if (success) return data
  }
  return undefined
}

/**
 * Reads what other programs store in any form as the contract declares it. A value of another type, and an empty text, read
 * as null or as the empty value of the field; a list is left without such items.
 */
export function readByContract<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  // Each field has a value that its schema accepts.
  return read(schema, value) as z.output<S>
}
