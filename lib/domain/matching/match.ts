import type { ObjectId } from 'mongodb'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'

/** An entry to be compared with the games of the catalogue; unknown facts are absent or null. */
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

/** Each from 0 (speaks against) to 1 (speaks for); null where one side knows nothing. */
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
  /** The weight of each part, in signed points: ten times the decimal logarithm of its odds; 0 for what was not compared. */
  points: Record<keyof MatchBreakdown, number>
  dateSignal: 'confirms' | 'contradicts' | 'unknown'
  descriptionSignal: 'match' | 'mismatch' | 'unknown'
  hasCompanyMismatch: boolean
  /** True for a game made by hand, which only an admin links. */
  isCustom?: true
  /** The name of the game, main or alternative, that the title was compared with. */
  matchedTitle: string
}
