import { ObjectId } from 'mongodb'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../db/collections/conflicts.ts'
import { isObjectId } from '../values/object-id.ts'

// Parsers write the records, and nothing holds them to the types: an odd value reads as absent.

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const textOr = (value: unknown, fallback: string): string => textOrNull(value) ?? fallback

export const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** The candidates of a conflict about games. */
export const listCandidates = ({ candidates }: Pick<ConflictDocument, 'candidates'>): StoredCandidate[] =>
  Array.isArray(candidates) ? candidates.filter((candidate) => candidate?.gameId instanceof ObjectId) : []

/** The entries of a conflict of `hltb`. */
export const listEntries = ({ entries }: Pick<ConflictDocument, 'entries'>): StoredEntry[] =>
  Array.isArray(entries) ? entries.filter((entry) => typeof entry?.id === 'string') : []

/** The game of the catalogue that a conflict of `hltb` is about. */
export const toGameId = ({ externalId }: Pick<ConflictDocument, 'externalId'>): ObjectId | null =>
  isObjectId(externalId) ? new ObjectId(externalId) : null
