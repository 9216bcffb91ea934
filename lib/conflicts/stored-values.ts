import { ObjectId } from 'mongodb'
import type { ConflictBreakdown } from '../contract/conflicts.ts'
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

const PARTS = ['title', 'companies', 'date', 'platforms', 'genre', 'type'] as const

/** Score and breakdown of a candidate in points, the parts with one decimal. */
export function readScores({ score, breakdown }: Pick<StoredCandidate, 'score' | 'breakdown'>): {
  score: number
  breakdown: ConflictBreakdown
} {
  const points = PARTS.map((part) => [part, Math.round((numberOrNull(breakdown?.[part]) ?? 0) * 10) / 10 || 0])
  // Has the keys of PARTS, which `fromEntries` does not tell.
  return { score: Math.round(numberOrNull(score) ?? 0), breakdown: Object.fromEntries(points) as ConflictBreakdown }
}

/** The score of an entry in points; null where its parser gave none. */
export function readEntryScore({ score: stored }: StoredEntry): number | null {
  const score = numberOrNull(stored)
  return score === null ? null : Math.round(score)
}
