import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { ConflictSubject } from '../../contract/conflicts.ts'
import { isObjectId } from '../../contract/object-id.ts'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../../infrastructure/db/collections/conflicts.ts'

// Parsers write the records, and nothing holds them to the types: an odd value reads as absent.

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const textOr = (value: unknown, fallback: string): string => textOrNull(value) ?? fallback

export const objectIdsIn = (list: unknown): ObjectId[] =>
  Array.isArray(list) ? list.filter((id) => id instanceof ObjectId) : []

/** The value of an absent field; the last choice of an enum is the one for what is not known. */
function toEmpty(schema: unknown): unknown {
  if (schema instanceof z.ZodString) return ''
  if (schema instanceof z.ZodNumber) return 0
  if (schema instanceof z.ZodBoolean) return false
  return schema instanceof z.ZodEnum ? schema.options.at(-1) : null
}

function readValue(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodArray) {
    const items: unknown[] = Array.isArray(value) ? value : []
    const toHex = (item: unknown) => (item instanceof ObjectId ? item.toHexString() : item)
    return items.flatMap((item) => z.safeParse(schema.element, toHex(item)).data ?? [])
  }
  if (schema instanceof z.ZodObject) return readStored(schema, value)
  const parsed = schema instanceof z.ZodType && value !== '' ? schema.safeParse(value) : undefined
  return parsed?.success ? parsed.data : toEmpty(schema)
}

/** Reads what a parser stored as an object of the contract. */
export function readStored<S extends z.ZodObject>(schema: S, stored: unknown): z.output<S> {
  const values = new Map<string, unknown>(Object.entries(stored ?? {}))
  const fields = Object.entries(schema.shape).map(([key, field]) => [key, readValue(field, values.get(key))])
  // Each field is read by its own schema.
  return Object.fromEntries(fields) as z.output<S>
}

export const listCandidates = ({ candidates }: Pick<ConflictDocument, 'candidates'>): StoredCandidate[] =>
  Array.isArray(candidates) ? candidates.filter((candidate) => candidate?.gameId instanceof ObjectId) : []

export const listEntries = ({ entries }: Pick<ConflictDocument, 'entries'>): StoredEntry[] =>
  Array.isArray(entries) ? entries.filter((entry) => typeof entry?.id === 'string') : []

/** The game of the catalogue that a conflict of `hltb` is about. */
export const toGameId = ({ externalId }: Pick<ConflictDocument, 'externalId'>): ObjectId | null =>
  isObjectId(externalId) ? new ObjectId(externalId) : null

/** The entry that a conflict is about, as far as it is known. */
export function readSubject({
  externalData,
  externalName,
}: Pick<ConflictDocument, 'externalData' | 'externalName'>): ConflictSubject {
  const name = textOr(externalData?.name, textOr(externalName, ''))
  const originalName = textOr(externalData?.originalName, name)
  return readStored(ConflictSubject, { ...externalData, name, originalName })
}
