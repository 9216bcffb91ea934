import type { ConflictReason } from '../../contract/conflicts.ts'
import type { ConflictDocument, StoredCandidate } from '../../infrastructure/db/collections/conflicts.ts'
import { findMatches } from '../matching/find-matches.ts'
import { type GameMatch, MATCH_FIELDS, type MatchedGame, type MatchSubject } from '../matching/match.ts'
import { findReviewReason } from '../matching/review-reason.ts'
import { prepareSubject, scoreMatch } from '../matching/score.ts'
import type { ConflictsDeps } from './deps.ts'
import { objectIdsIn, readSubject, textOrNull } from './stored-values.ts'

const MAX_CANDIDATES = 10
const CREATED_GAME = { projection: MATCH_FIELDS }

function toMatchSubject(record: ConflictDocument): MatchSubject {
  const { name, originalName, alternativeNames, released, developers, description } = readSubject(record)
  return {
    name,
    alternativeNames: [...(originalName === name ? [] : [originalName]), ...alternativeNames],
    released,
    companies: developers,
    platformIds: objectIdsIn(record.externalData?.platformIds),
    summary: textOrNull(description),
  }
}

const toStoredCandidate = ({ score, breakdown, points, isCustom, ...match }: GameMatch): StoredCandidate => ({
  ...match,
  score: Math.round(score * 100),
  breakdown: { ...points },
  isManual: false,
})

/**
 * Finds the candidates of a skipped conflict afresh from its entry as it was last read: the game that the skip made of it
 * first, then the best.
 */
export async function rematchConflict(
  deps: Pick<ConflictsDeps, 'db'>,
  skipped: ConflictDocument,
): Promise<{ candidates: StoredCandidate[]; reason: ConflictReason | null }> {
  const subject = toMatchSubject(skipped)
  const [matches, created] = await Promise.all([
    findMatches(deps, subject, { take: MAX_CANDIDATES }),
    skipped.winner && deps.db.games.findOne<MatchedGame>({ _id: skipped.winner }, CREATED_GAME),
  ])
  const first = created ? [scoreMatch(prepareSubject(subject), created)] : []
  const others = matches.filter(({ gameId }) => !skipped.winner?.equals(gameId))

  return { candidates: [...first, ...others].map(toStoredCandidate), reason: findReviewReason(matches) }
}
