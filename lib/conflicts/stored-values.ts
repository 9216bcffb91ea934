import { ObjectId } from 'mongodb'
import type { ConflictBreakdown } from '../contract/conflicts.ts'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../db/collections/conflicts.ts'
import { signalToPoints } from '../matching/odds.ts'
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

const withinUnit = (value: number) => value >= 0 && value <= 1

/**
 * Whether release 1.0 stored the scores of a candidate: from 0 to 1, and so were the parts of its breakdown. In points such a
 * score is next to nothing, and something speaks against the game with more than one point.
 */
function isOfUnitScale({ score, breakdown }: Pick<StoredCandidate, 'score' | 'breakdown'>): boolean {
  const parts = PARTS.flatMap((part) => numberOrNull(breakdown?.[part]) ?? [])
  const isTelling = score > 0 || parts.some((part) => part > 0)
  return isTelling && withinUnit(score) && parts.every(withinUnit)
}

/** Score and breakdown of a candidate in points, whichever scale they are stored in. */
export function readScores({ score: stored, breakdown }: Pick<StoredCandidate, 'score' | 'breakdown'>): {
  score: number
  breakdown: ConflictBreakdown
} {
  const score = numberOrNull(stored) ?? 0
  const isUnit = isOfUnitScale({ score, ...(breakdown && { breakdown }) })
  const points = (part: (typeof PARTS)[number]) => {
    const value = numberOrNull(breakdown?.[part])
    return isUnit ? signalToPoints(part, value) : Math.round((value ?? 0) * 10) / 10 || 0
  }
  return {
    score: Math.round(isUnit ? score * 100 : score),
    breakdown: {
      title: points('title'),
      companies: points('companies'),
      date: points('date'),
      platforms: points('platforms'),
      genre: points('genre'),
      type: points('type'),
    },
  }
}

/** The score of an entry in points; null where its parser gave none. */
export function readEntryScore({ score: stored }: StoredEntry): number | null {
  const score = numberOrNull(stored)
  return score === null ? null : Math.round(withinUnit(score) ? score * 100 : score)
}

/** The times of HowLongToBeat as release 1.0 named them. */
const HOURS = new Map([
  ['mainStory', 'Main story'],
  ['mainExtra', 'Main story and extras'],
  ['completionist', 'Completionist'],
  ['allStyles', 'All styles'],
  ['coop', 'Co-op'],
  ['multiplayer', 'Multiplayer'],
])

/** The short facts of an entry; an object of another program becomes a list of its texts and numbers. */
export function readDetails({ details }: StoredEntry): string[] {
  if (typeof details === 'string') return details === '' ? [] : [details]
  if (Array.isArray(details)) return details.filter((each) => typeof each === 'string' && each !== '')
  if (typeof details !== 'object' || details === null) return []
  return Object.entries(details).flatMap(([key, value]: [string, unknown]) => {
    const title = HOURS.get(key)
    if (title !== undefined && typeof value === 'number') return `${title} ${value} h`
    return typeof value === 'number' || (typeof value === 'string' && value !== '') ? `${title ?? key}: ${value}` : []
  })
}
