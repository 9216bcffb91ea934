import type { ObjectId } from 'mongodb'

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
  /** From 0 to 1. */
  score: number
  breakdown: MatchBreakdown
  /** The weight of each part, in signed points: ten times the decimal logarithm of its odds; 0 for what was not compared. */
  points: Record<keyof MatchBreakdown, number>
  dateSignal: 'confirms' | 'contradicts' | 'unknown'
  descriptionSignal: 'match' | 'mismatch' | 'unknown'
  hasCompanyMismatch: boolean
  /** A game made by hand is linked by an admin alone. */
  isCustom?: true
  /** The name of the game, main or alternative, that the title was compared with. */
  matchedTitle: string
}
