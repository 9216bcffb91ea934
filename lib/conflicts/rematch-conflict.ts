import type { ObjectId } from 'mongodb'
import type { ConflictReason } from '../contract/conflicts.ts'
import type { ConflictDocument, StoredCandidate } from '../db/collections/conflicts.ts'
import { mapByIds } from '../db/find-by-ids.ts'
import { findMatches } from '../matching/find-matches.ts'
import type { GameMatch, MatchSubject } from '../matching/match.ts'
import { findReviewReason } from '../matching/review-reason.ts'
import { MATCH_FIELDS, type MatchedGame, prepareSubject, scoreMatch } from '../matching/score.ts'
import type { ConflictsDeps } from './deps.ts'
import { objectIdsIn, readSubject, textOrNull } from './stored-values.ts'

const MAX_CANDIDATES = 10

interface RematchConflictInput {
  record: Pick<ConflictDocument, 'externalName' | 'externalData'>
  /** The game that a skip made of this entry. */
  createdGameId: ObjectId | null
}

function toMatchSubject(record: RematchConflictInput['record']): MatchSubject {
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

/** A match as a conflict keeps it. */
const toStoredCandidate = ({ score, breakdown, points, isCustom, ...match }: GameMatch): StoredCandidate => ({
  ...match,
  score: Math.round(score * 100),
  breakdown: { ...points },
  isManual: false,
})

async function scoreCreated(
  deps: Pick<ConflictsDeps, 'db'>,
  id: ObjectId | null,
  subject: MatchSubject,
): Promise<GameMatch[]> {
  const games = await mapByIds<MatchedGame>(deps.db.games, id === null ? [] : [id], MATCH_FIELDS)
  return [...games.values()].map((game) => scoreMatch(prepareSubject(subject), game))
}

/** Finds the candidates of a conflict afresh from its entry as it was last read: the game made of it first, then the best. */
export async function rematchConflict(
  deps: Pick<ConflictsDeps, 'db'>,
  { record, createdGameId }: RematchConflictInput,
): Promise<{ candidates: StoredCandidate[]; reason: ConflictReason | null }> {
  const subject = toMatchSubject(record)
  const [matches, created] = await Promise.all([
    findMatches(deps, subject, { take: MAX_CANDIDATES }),
    scoreCreated(deps, createdGameId, subject),
  ])
  const others = matches.filter(({ gameId }) => !createdGameId?.equals(gameId))

  return { candidates: [...created, ...others].map(toStoredCandidate), reason: findReviewReason(matches) }
}
