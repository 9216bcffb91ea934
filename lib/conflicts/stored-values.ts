import { ObjectId } from 'mongodb'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../db/collections/conflicts.ts'
import { isObjectId } from '../values/object-id.ts'

// Parsers of their own write the records, and nothing holds them to the types: what is odd reads as absent.

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const textOr = (value: unknown, fallback: string): string => textOrNull(value) ?? fallback

export const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** The candidates of a conflict about games. */
export const candidatesOf = ({ candidates }: Pick<ConflictDocument, 'candidates'>): StoredCandidate[] =>
  Array.isArray(candidates) ? candidates.filter((candidate) => candidate?.gameId instanceof ObjectId) : []

/** The entries of a conflict of `hltb`. */
export const entriesOf = ({ entries }: Pick<ConflictDocument, 'entries'>): StoredEntry[] =>
  Array.isArray(entries) ? entries.filter((entry) => typeof entry?.id === 'string') : []

/** The game of the catalogue that a conflict of `hltb` is about. */
export const gameIdOf = ({ externalId }: Pick<ConflictDocument, 'externalId'>): ObjectId | null =>
  isObjectId(externalId) ? new ObjectId(externalId) : null
