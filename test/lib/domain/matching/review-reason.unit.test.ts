import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import type { GameMatch } from '#lib/domain/matching/match'
import { findReviewReason } from '#lib/domain/matching/review-reason'

type Facts = Partial<Omit<GameMatch, 'breakdown'>> & { breakdown?: Partial<GameMatch['breakdown']> }

function matchOf({ breakdown, ...facts }: Facts = {}): GameMatch {
  return {
    gameId: new ObjectId(),
    name: 'Doom',
    slug: 'doom',
    score: 0.99,
    breakdown: { title: 1, companies: 1, date: 1, platforms: null, genre: null, type: null, ...breakdown },
    points: { title: 10.9, companies: 5.2, date: 5.6, platforms: 0, genre: 0, type: 0 },
    dateSignal: 'confirms',
    descriptionSignal: 'unknown',
    hasCompanyMismatch: false,
    matchedTitle: 'Doom',
    ...facts,
  }
}

test('no match, and a certain one, have no reason for a review', () => {
  expect(findReviewReason([])).toBeNull()
  expect(findReviewReason([matchOf()])).toBeNull()
  expect(findReviewReason([matchOf(), matchOf({ score: 0.5 })])).toBeNull()
})

test.each([
  ['below-threshold', { score: 0.4 }],
  ['below-threshold', { score: 0.1, breakdown: { title: 0.3 }, dateSignal: 'contradicts' }],
  ['date-contradicts', { score: 0.4, dateSignal: 'contradicts' }],
  ['date-contradicts', { score: 0.8, dateSignal: 'contradicts', hasCompanyMismatch: true }],
  ['company-mismatch', { score: 0.8, hasCompanyMismatch: true, breakdown: { companies: 0 } }],
  ['genre-mismatch', { breakdown: { genre: 0 } }],
  ['description-mismatch', { descriptionSignal: 'mismatch' }],
  ['weak-title', { score: 0.9, breakdown: { title: 0.8 } }],
  ['unverified-title', { dateSignal: 'unknown', breakdown: { companies: null, date: null } }],
  ['no-company-evidence', { breakdown: { companies: null } }],
  ['custom-game', { isCustom: true }],
] as const)('%s: %o', (reason, facts) => expect(findReviewReason([matchOf(facts)])).toBe(reason))

test('competing-candidates when the next one is as likely, and not far behind', () => {
  expect(findReviewReason([matchOf(), matchOf({ score: 0.95 })])).toBe('competing-candidates')
  expect(findReviewReason([matchOf({ score: 0.76 }), matchOf({ score: 0.74 })])).not.toBe('competing-candidates')
  expect(findReviewReason([matchOf(), matchOf({ score: 0.8 })])).toBeNull()
})
