import { expect, test } from 'vitest'
import { splitPoints } from '../../lib/console/conflicts/split-points.ts'

test.each([
  [97.4, { title: 31.2, companies: 12.1, date: 8.7, genre: 0, type: -1.3 }],
  [50, { title: 1, companies: 1, date: 1 }],
  [66.5, { title: 20, companies: -3.3, date: 0.1 }],
])('the parts of %d points add up to them', (score, weights) => {
  const parts = splitPoints(score, weights)
  expect(parts.reduce((sum, { points }) => sum + points, 0)).toBe(Math.round(score))
  expect(parts.map(({ name }) => name)).not.toContain('genre')
})

test('parts that together speak against it are not shown as points', () => {
  expect(splitPoints(3, { title: -8, date: 2 })).toEqual([])
})
