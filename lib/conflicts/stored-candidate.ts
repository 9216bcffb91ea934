import type { StoredCandidate } from '../db/collections/conflicts.ts'
import type { GameMatch } from '../matching/match.ts'

/** A match as a conflict keeps it. */
export const toStoredCandidate = ({ breakdown, isCustom, ...match }: GameMatch): StoredCandidate => ({
  ...match,
  breakdown: { ...breakdown },
  isManual: false,
})
