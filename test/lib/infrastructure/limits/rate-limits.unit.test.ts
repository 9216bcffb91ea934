import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readConfig } from '#lib/base/config'
import { createRateLimits, type RateLimits } from '#lib/infrastructure/limits/rate-limits'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const PER_MINUTE: Record<keyof RateLimits, number> = {
  comments: 60,
  commentAttempts: 300,
  commentChanges: 120,
  notifications: 120,
  presets: 60,
  profileChanges: 10,
  requestChanges: 30,
  refusedBodies: 600,
  serviceKeys: 600,
}
// The cast names the keys, because Object.keys returns strings.
const NAMES = Object.keys(PER_MINUTE) as (keyof RateLimits)[]

const README = readFileSync(new URL('../../../../lib/infrastructure/limits/README.md', import.meta.url), 'utf8')

it.each(NAMES)('%s: the README has its row, with the number unless it is a setting', (name) => {
  const row =
    README.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(`\`${name}\``)) ?? ''
  const isSetting = name.startsWith('comment')

  expect(row).toMatch(/ a minute of one (user|key)/)
  expect(/, (?:(\d+) )?a minute of one/.exec(row)?.[1]).toBe(isSetting ? undefined : `${PER_MINUTE[name]}`)
})

it.each(NAMES)('%s: one user has this number a minute, and a refusal does not prolong the wait', async (name) => {
  const limit = createRateLimits(readConfig({}))[name]
  for (let count = 0; count < PER_MINUTE[name]; count++) {
    await limit.assertLeft('a')
    await limit.consume('a')
  }
  vi.advanceTimersByTime(2_000)
  await expect(limit.assertLeft('a')).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 58 } })
  await expect(limit.consume('a')).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 58 } })
  await limit.consume('b')
  vi.advanceTimersByTime(58_000)
  await limit.consume('a')
})

it('COMMENTS_PER_MINUTE is the limit of comments', async () => {
  const { comments } = createRateLimits(readConfig({ COMMENTS_PER_MINUTE: '1' }))
  await comments.consume('a')
  await expect(comments.consume('a')).rejects.toMatchObject({ details: { retryAfter: 60 } })
})
