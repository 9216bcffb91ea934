import { ObjectId } from 'mongodb'
import { z } from 'zod'

function pick(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional) return pick(schema.unwrap(), value)
  if (value instanceof ObjectId) return value.toHexString()
  if (value instanceof Date) return value.toISOString()
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => pick(schema.element, item))
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) return pickFields(schema, value)
  return value
}

function pickFields({ shape }: z.ZodObject, document: object): Record<string, unknown> {
  const stored = new Map<string, unknown>(Object.entries(document))
  const picked: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(shape)) {
    const value = stored.get(key) ?? undefined
    if (value !== undefined) picked[key] = pick(field, value)
  }
  return picked
}

/** Fills in the times that another program left out. The time of the creation comes from the id. */
export function withTimes<D extends { _id: ObjectId; createdAt?: Date; updatedAt?: Date }>(document: D) {
  const { createdAt = document._id.getTimestamp(), updatedAt = createdAt } = document
  return { ...document, createdAt, updatedAt }
}

/**
 * Picks the fields that the contract declares, at every depth, in the form that is sent: ids in hex, dates in ISO 8601,
 * null as absent. Every other field is left out. Values are not validated, because an odd value of another program must not
 * make its document unreadable.
 */
export function toContract<S extends z.ZodObject>(schema: S, document: object): z.output<S> {
  // The document's own type is held against the contract where it is stored.
  return pickFields(schema, document) as z.output<S>
}
