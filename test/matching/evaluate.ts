import { createHash } from 'node:crypto'
import { ObjectId } from 'mongodb'
import type { GameMatch, MatchedGame, MatchSubject } from '../../lib/domain/matching/match.ts'
import { prepareSubject } from '../../lib/domain/matching/prepare-subject.ts'
import { findReviewReason } from '../../lib/domain/matching/review-reason.ts'
import { scoreMatch } from '../../lib/domain/matching/score.ts'
import { LIKELY_DUPLICATE_SCORE, WEIGHTS } from '../../lib/domain/matching/weights.ts'
import type { LabelledEntry, LabelledPair } from './parse-pairs.ts'

const toId = (text: string) => new ObjectId(createHash('sha256').update(text).digest('hex').slice(0, 24))

export function toSubject({ platforms, ...facts }: LabelledEntry): MatchSubject {
  return { ...facts, ...(platforms && { platformIds: platforms.map(toId) }) }
}

export function toGame(entry: LabelledEntry, slug: string): MatchedGame {
  const { name, alternativeNames, released, companies, platforms, type, genres, summary } = entry
  return {
    _id: toId(slug),
    name,
    slug,
    ...(alternativeNames && { alternative_names: [...alternativeNames] }),
    ...(released && { first_release: Date.parse(released) / 1000 }),
    ...(companies && { companies: companies.map((company) => ({ name: company })) }),
    ...(platforms && { platformIds: platforms.map(toId) }),
    ...(genres && { genres: [...genres] }),
    ...(type && { type }),
    ...(summary && { summary }),
  }
}

/** Counts automatic matches, to show how safe and how useful they are. */
export function evaluateAutomatic(pairs: readonly LabelledPair[]) {
  const judged = pairs.map((pair) => {
    const match = scoreMatch(prepareSubject(toSubject(pair.a)), toGame(pair.b, pair.id))
    return { pair, match, isMatched: findReviewReason([match]) === null }
  })
  const matched = judged.filter(({ isMatched }) => isMatched)
  const isContradicted = ({ dateSignal, hasCompanyMismatch, breakdown: { type } }: GameMatch) =>
    dateSignal === 'contradicts' || hasCompanyMismatch || (type !== null && type < WEIGHTS.type.neutral)
  const isFull = ({ released, companies }: LabelledEntry) => released !== undefined && (companies ?? []).length > 0
  const full = judged.filter(({ pair: { a, b, isSame } }) => isSame && isFull(a) && isFull(b))
  return {
    matched: matched.length,
    wrong: matched.filter(({ pair }) => !pair.isSame).length,
    contradicted: matched.filter(({ match }) => isContradicted(match)).length,
    /** Equal pairs with a date and a company on both sides. */
    full: full.length,
    fullMatched: full.filter(({ isMatched }) => isMatched).length,
  }
}

export interface Evaluation {
  judged: readonly { pair: LabelledPair; score: number; isTaken: boolean }[]
  /** The part of the pairs taken for one game that are one. */
  precision: number
  /** The part of the pairs of one game that are taken for one. */
  recall: number
}

export function evaluate(pairs: readonly LabelledPair[]): Evaluation {
  const judged = pairs.map((pair) => {
    const { score } = scoreMatch(prepareSubject(toSubject(pair.a)), toGame(pair.b, pair.id))
    return { pair, score, isTaken: score >= LIKELY_DUPLICATE_SCORE }
  })
  const taken = judged.filter(({ isTaken }) => isTaken)
  const right = taken.filter(({ pair }) => pair.isSame).length
  return {
    judged,
    precision: right / Math.max(1, taken.length),
    recall: right / Math.max(1, judged.filter(({ pair }) => pair.isSame).length),
  }
}
