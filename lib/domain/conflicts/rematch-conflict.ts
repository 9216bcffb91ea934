import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import { findMatches } from '../matching/find-matches.ts'
import { MATCH_FIELDS, type MatchedGame } from '../matching/match.ts'
import { prepareSubject } from '../matching/prepare-subject.ts'
import { findReviewReason } from '../matching/review-reason.ts'
import { scoreMatch } from '../matching/score.ts'
import { CANDIDATE_OPTIONS, toMatchSubject, toStoredCandidate } from './candidates.ts'
import type { ConflictsDeps } from './deps.ts'

const FIRST_GAME = { projection: MATCH_FIELDS }

/**
 * Finds the candidates of a closed conflict afresh from its entry as it was last read: the game that it was closed with
 * first, then the best.
 */
export async function rematchConflict(deps: Pick<ConflictsDeps, 'db'>, closed: ConflictDocument) {
  const subject = toMatchSubject(closed)
  const [matches, winner] = await Promise.all([
    findMatches(deps, subject, CANDIDATE_OPTIONS),
    closed.winner && deps.db.games.findOne<MatchedGame>({ _id: closed.winner }, FIRST_GAME),
  ])
  const first = winner ? [scoreMatch(prepareSubject(subject), winner)] : []
  const others = matches.filter(({ gameId }) => !closed.winner?.equals(gameId))

  return { candidates: [...first, ...others].map(toStoredCandidate), reason: findReviewReason(matches) }
}
