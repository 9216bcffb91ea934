import type { ConflictReason } from '../../contract/conflicts.ts'
import type { GameMatch } from './match.ts'
import { COMPETING_WITHIN, LIKELY_DUPLICATE_SCORE, PLATFORM_SIGNALS, SURE_TITLE, WEIGHTS } from './weights.ts'

/** Finds the first reason to review the best match, whatever its score. */
function findDoubt({ breakdown, dateSignal, descriptionSignal, hasCompanyMismatch }: GameMatch): ConflictReason | null {
  if (dateSignal === 'contradicts') return 'date-contradicts'
  if (hasCompanyMismatch) return 'company-mismatch'
  if (breakdown.genre === 0) return 'genre-mismatch'
  return descriptionSignal === 'mismatch' ? 'description-mismatch' : null
}

/** True when the date speaks for one game, and neither platforms nor type against it, because makers reuse titles. */
const isVerified = ({ breakdown: { type, platforms }, dateSignal }: GameMatch): boolean =>
  dateSignal === 'confirms' &&
  // Two games of one name and year are mostly those of two platforms.
  platforms !== PLATFORM_SIGNALS.none &&
  (type === null || type >= WEIGHTS.type.neutral)

/** Finds the evidence that the best match lacks, although no fact contradicts it. */
function findMissingEvidence(match: GameMatch, { namesCompanies }: { namesCompanies: boolean }): ConflictReason | null {
  if (match.breakdown.title < SURE_TITLE) return 'weak-title'
  if (!isVerified(match)) return 'unverified-title'
  return namesCompanies && match.breakdown.companies === null ? 'no-company-evidence' : null
}

/**
 * Finds the reason why a person reviews matches, which come best first. Null without matches, and when the best match is
 * certain. Missing companies are no reason for a source that never names any.
 */
export function findReviewReason(matches: readonly GameMatch[], { namesCompanies = true } = {}): ConflictReason | null {
  const [best, next] = matches
  if (best === undefined) return null
  if (best.score < LIKELY_DUPLICATE_SCORE) {
    return (best.breakdown.title >= WEIGHTS.title.neutral ? findDoubt(best) : null) ?? 'below-threshold'
  }
  if (best.isCustom) return 'custom-game'
  const isRivalled =
    next !== undefined && next.score >= LIKELY_DUPLICATE_SCORE && best.score - next.score <= COMPETING_WITHIN
  return isRivalled ? 'competing-candidates' : (findDoubt(best) ?? findMissingEvidence(best, { namesCompanies }))
}
