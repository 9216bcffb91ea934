import { ObjectId } from 'mongodb'
import { ConflictSubject } from '../../contract/conflicts.ts'
import { isObjectId } from '../../contract/object-id.ts'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../../infrastructure/db/collections/conflicts.ts'
import { readByContract } from '../../infrastructure/db/to-contract.ts'

// Parsers write the records without these types, so a value of another type reads as absent.

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const textOr = (value: unknown, fallback: string): string => textOrNull(value) ?? fallback

export const objectIdsIn = (list: unknown): ObjectId[] =>
  Array.isArray(list) ? list.filter((id) => id instanceof ObjectId) : []

export const listCandidates = ({ candidates }: Pick<ConflictDocument, 'candidates'>): StoredCandidate[] =>
  Array.isArray(candidates) ? candidates.filter((candidate) => candidate?.gameId instanceof ObjectId) : []

export const listEntries = ({ entries }: Pick<ConflictDocument, 'entries'>): StoredEntry[] =>
  Array.isArray(entries) ? entries.filter((entry) => typeof entry?.id === 'string') : []

export const toGameId = ({ externalId }: Pick<ConflictDocument, 'externalId'>): ObjectId | null =>
  isObjectId(externalId) ? new ObjectId(externalId) : null

/** Reads the entry that a conflict is about; unknown fields are empty. */
export function readSubject({
  externalData,
  externalName,
}: Pick<ConflictDocument, 'externalData' | 'externalName'>): ConflictSubject {
  const name = textOr(externalData?.name, textOr(externalName, ''))
  const originalName = textOr(externalData?.originalName, name)
  return readByContract(ConflictSubject, { ...externalData, name, originalName })
}
