import type { ConflictReason } from '../../contract/conflicts.ts'
import type { GameMatch } from './match.ts'
import { COMPETING_WITHIN, LIKELY_DUPLICATE_SCORE, SURE_TITLE, WEIGHTS } from './weights.ts'

/** Finds the first reason to review the best match, whatever its score. */
function findDoubt({ breakdown, dateSignal, descriptionSignal, hasCompanyMismatch }: GameMatch): ConflictReason | null {
  if (dateSignal === 'contradicts') return 'date-contradicts'
  if (hasCompanyMismatch) return 'company-mismatch'
  if (breakdown.genre === 0) return 'genre-mismatch'
  return descriptionSignal === 'mismatch' ? 'description-mismatch' : null
}

/** Finds the evidence that the best match lacks, although no fact contradicts it. */
function findGap({ breakdown: { title, companies, date } }: GameMatch): ConflictReason | null {
  if (title < SURE_TITLE) return 'weak-title'
  if (companies === null && date === null) return 'unverified-title'
  return companies === null ? 'no-company-evidence' : null
}

/** Why matches, best first, are left to a person; null when there are none, and when the best is plain. */
export function findReviewReason(matches: readonly GameMatch[]): ConflictReason | null {
  const [best, next] = matches
  if (best === undefined) return null
  if (best.score < LIKELY_DUPLICATE_SCORE) {
    return (best.breakdown.title >= WEIGHTS.title.neutral ? findDoubt(best) : null) ?? 'below-threshold'
  }
  if (best.isCustom) return 'custom-game'
  const isRivalled =
    next !== undefined && next.score >= LIKELY_DUPLICATE_SCORE && best.score - next.score <= COMPETING_WITHIN
  return isRivalled ? 'competing-candidates' : (findDoubt(best) ?? findGap(best))
}
