import type { ObjectId } from 'mongodb'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'

/** An entry that is compared with games of the catalogue. Unknown facts are absent or null. */
export interface MatchSubject {
  name: string
  alternativeNames?: readonly string[]
  type?: string | null
  /** yyyy, yyyy-mm or yyyy-mm-dd. */
  released?: string | null
  companies?: readonly string[]
  platformIds?: readonly ObjectId[]
  genres?: readonly string[]
  summary?: string | null
}

export const MATCH_FIELDS = {
  name: 1,
  slug: 1,
  alternative_names: 1,
  type: 1,
  first_release: 1,
  'release_dates.date': 1,
  'release_dates.platformId': 1,
  'companies.name': 1,
  'companies.developer': 1,
  'companies.publisher': 1,
  platformIds: 1,
  genres: 1,
  summary: 1,
  isCustom: 1,
} as const

export type MatchedGame = Pick<
  GameDocument,
  '_id' | 'release_dates' | 'companies' | (keyof typeof MATCH_FIELDS & keyof GameDocument)
>

/** Signals from 0 (speaks against one game) to 1 (speaks for it); null when either side lacks the fact. */
interface MatchBreakdown {
  title: number
  companies: number | null
  date: number | null
  platforms: number | null
  genre: number | null
  type: number | null
}

export interface GameMatch {
  gameId: ObjectId
  name: string
  slug: string
  score: number
  breakdown: MatchBreakdown
  /** The weight of each signal, in signed points: ten times the decimal logarithm of its odds; 0 when it is null. */
  points: Record<keyof MatchBreakdown, number>
  dateSignal: 'confirms' | 'contradicts' | 'unknown'
  descriptionSignal: 'match' | 'mismatch' | 'unknown'
  hasCompanyMismatch: boolean
  /** True for a game made by hand. Only an admin links it. */
  isCustom?: true
  /** The name of the game, main or alternative, that agrees best with a name of the subject. */
  matchedTitle: string
}
