import { type Document, ObjectId } from 'mongodb'
import { distinctIds } from '../../base/values/distinct-ids.ts'
import { isObjectId } from '../../contract/object-id.ts'

// The site's schemas have changed over the years, so a value may be stored in more than one form.

export function toId(value: unknown): ObjectId | null {
  if (value instanceof ObjectId) return value
  return typeof value === 'string' && isObjectId(value) ? new ObjectId(value) : null
}

export const toIds = (list: unknown): ObjectId[] =>
  Array.isArray(list) ? distinctIds(list.flatMap((value) => toId(value) ?? [])) : []

/** Reads a date: as such, as a text, or in milliseconds. */
export function toDate(value: unknown): Date | null {
  const isReadable = value instanceof Date || typeof value === 'string' || typeof value === 'number'
  const date = isReadable ? new Date(value) : null
  return date !== null && Number.isNaN(date.getTime()) ? null : date
}

export const toText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

export function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

export const objectsIn = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : []

export function toTimes(document: Document & { _id: ObjectId }) {
  const createdAt = toDate(document.createdAt) ?? document._id.getTimestamp()
  return { createdAt, updatedAt: toDate(document.updatedAt) ?? createdAt }
}
