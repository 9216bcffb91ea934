import { LRUCache } from 'lru-cache'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

/** Takes an attempt back: it did not count after all. */
export type GiveBack = () => void

/** Takes one attempt of `key`. @throws DomainError RATE_LIMITED, and then takes none */
export type AttemptLimit = (key: string) => GiveBack

interface Attempt {
  at: number
}

const KEYS_KEPT = 50_000

interface LimitOptions {
  attempts: number
  minutes: number
  clock: () => Date
}

/** At most `attempts` within any `minutes` for one key. It takes them without waiting, so that parallel ones cannot slip by. */
export function createAttemptLimit({ attempts, minutes, clock }: LimitOptions): AttemptLimit {
  const windowMs = minutes * 60_000
  const taken = new LRUCache<string, Attempt[]>({ max: KEYS_KEPT })

  return function take(key) {
    const now = clock().getTime()
    const recent = (taken.get(key) ?? []).filter(({ at }) => now - at < windowMs)
    const [oldest] = recent
    if (oldest !== undefined && recent.length >= attempts) {
      const retryAfter = Math.max(1, Math.ceil((oldest.at + windowMs - now) / 1000))
      throw new DomainError('RATE_LIMITED', MESSAGES.tooManyRequests, { retryAfter })
    }
    const attempt: Attempt = { at: now }
    taken.set(key, [...recent, attempt])

    return function giveBack() {
      const left = (taken.get(key) ?? []).filter((other) => other !== attempt)
      if (left.length > 0) taken.set(key, left)
      else taken.delete(key)
    }
  }
}

/** Takes one attempt of every limit, or of none. */
export function takeAll(takes: readonly (() => GiveBack)[]): GiveBack {
  const taken: GiveBack[] = []
  const giveBackAll = () => {
    for (const giveBack of taken) giveBack()
  }
  try {
    for (const take of takes) taken.push(take())
  } catch (refusal) {
    giveBackAll()
    throw refusal
  }
  return giveBackAll
}
