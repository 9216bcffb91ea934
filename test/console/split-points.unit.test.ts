import { expect, test } from 'vitest'
import { splitPoints } from '../../lib/console/conflicts/split-points.ts'

test.each([
  [97.4, { title: 31.2, companies: 12.1, date: 8.7, genre: 0, type: -1.3 }],
  [50, { title: 1, companies: 1, date: 1 }],
  [66.5, { title: 20, companies: -3.3, date: 0.1 }],
  [80, { title: 10.9, platforms: -4.3, type: -5.2 }],
  [12, { title: -8, date: 2 }],
  [100, { title: 60 }],
  [0, { title: -60 }],
])('the parts of %d points add up to them, each of at most 100', (score, weights) => {
  const parts = splitPoints(score, weights)
  expect(parts.reduce((sum, { points }) => sum + points, 0)).toBe(Math.round(score))
  for (const { points } of parts) expect(Math.abs(points)).toBeLessThanOrEqual(100)
  expect(parts.map(({ name }) => name)).not.toContain('genre')
})

test('a part moves the score to its side, the parts in favour first', () => {
  const parts = splitPoints(80, { type: -5.2, title: 10.9, platforms: -4.3 })
  expect(parts.map(({ name, points }) => [name, Math.sign(points)])).toEqual([
    ['start', 1],
    ['title', 1],
    ['type', -1],
    ['platforms', -1],
  ])
})

test('a score without compared parts is not split', () => {
  expect(splitPoints(100, {})).toEqual([])
})
