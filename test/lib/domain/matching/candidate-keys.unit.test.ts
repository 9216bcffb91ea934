import { expect, test } from 'vitest'
import { buildCandidateKeys } from '#lib/domain/matching/candidate-keys'

test('the keys of a game are few and short, however many and long its names', () => {
  const keys = buildCandidateKeys(
    'Word '.repeat(80),
    Array.from({ length: 500 }, (_, index) => `Name ${index}: Sub ${index}`),
  )

  expect(keys.length).toBeLessThanOrEqual(80)
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(101)
})
