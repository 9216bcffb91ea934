import { expect, it } from 'vitest'
import { readConfig } from '../../../lib/config.ts'
import { createRateLimits } from '../../../lib/limits/rate-limits.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
let now = START
const limitsWith = (env: Record<string, string> = {}) => createRateLimits(readConfig(env), () => new Date(now))

it.each([
  ['comments', 60],
  ['commentChanges', 120],
] as const)('%s: any minute has %d, also one that begins before the first is over', async (name, most) => {
  now = START
  const limit = limitsWith()[name]
  await limit.consume('a')
  now += 59_000
  for (let count = 1; count < most; count++) await limit.consume('a')

  now += 2_000
  await limit.consume('a')
  await expect(limit.consume('a')).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 58 } })
  await limit.consume('b')
  now += 58_000
  await limit.consume('a')
})

it('a refused one does not count', async () => {
  now = START
  const { comments } = limitsWith({ COMMENTS_PER_MINUTE: '1' })
  await comments.consume('a')
  now += 30_000
  await expect(comments.consume('a')).rejects.toMatchObject({ details: { retryAfter: 30 } })
  now += 30_000
  await comments.consume('a')
})
