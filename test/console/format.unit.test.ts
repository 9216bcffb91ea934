import { expect, test } from 'vitest'
import { formatAge } from '../../lib/console/format.ts'

test('a time ahead of the clock is just now', () => {
  const now = Date.UTC(2026, 10, 21)
  expect(formatAge(now + 2 * 3_600_000, now)).toBe('just now')
})
