import { PENDING_REQUESTS_LIMIT } from '../contract/limits.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'

const SLOTS = Array.from({ length: PENDING_REQUESTS_LIMIT }, (_, slot) => slot)

/**
 * The slots that one more request of a user may take. Each pending request without a slot keeps the last free one empty,
 * so that all who read the same take from the same few, and no two of them can pass the limit together.
 */
export function freeSlots(pending: readonly Pick<ContentRequestDocument, 'slot'>[]): number[] {
  const taken = new Set(pending.map(({ slot }) => slot))
  return SLOTS.filter((slot) => !taken.has(slot)).slice(0, Math.max(0, PENDING_REQUESTS_LIMIT - pending.length))
}
