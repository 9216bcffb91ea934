import type { ConflictDocument, StoredCandidate } from '../../infrastructure/db/collections/conflicts.ts'
import type { GameMatch, MatchSubject } from '../matching/match.ts'
import { WORTH_SHOWING_SCORE } from '../matching/weights.ts'
import { stringsIn } from '../names/normalise-name.ts'
import { objectIdsIn, readSubject, textOrNull } from './stored-values.ts'

export const CANDIDATE_OPTIONS = { take: 10, leastScore: WORTH_SHOWING_SCORE }

export function toMatchSubject(record: Pick<ConflictDocument, 'externalName' | 'externalData'>): MatchSubject {
  const { name, originalName, alternativeNames, released, developers, description } = readSubject(record)
  const { platformIds, publishers, genres, type } = record.externalData ?? {}
  return {
    name,
    alternativeNames: [...(originalName === name ? [] : [originalName]), ...alternativeNames],
    type: textOrNull(type),
    released,
    companies: [...developers, ...stringsIn(publishers)],
    platformIds: objectIdsIn(platformIds),
    genres: stringsIn(genres),
    summary: textOrNull(description),
  }
}

export const toStoredCandidate = ({ score, breakdown, points, isCustom, ...match }: GameMatch): StoredCandidate => ({
  ...match,
  score: Math.round(score * 100),
  breakdown: { ...points },
  isManual: false,
})
