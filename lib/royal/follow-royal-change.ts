import { ObjectId } from 'mongodb'
import type { Announcement } from '../events/announcement.ts'
import type { Change } from '../events/change.ts'
import { announceList } from './announce-list.ts'
import type { RoyalDeps } from './deps.ts'

/** Tells this instance's sockets of a royal list that another instance changed. */
export async function followRoyalChange(
  deps: Pick<RoyalDeps, 'db' | 'emit' | 'feed'>,
  { id, values: { rev } }: Change,
  { sender }: Announcement,
): Promise<void> {
  if (id instanceof ObjectId && rev !== undefined) {
    const announce = () => announceList(deps, { userId: id.toHexString(), change: { rev, sender } })
    await deps.feed.lostAnswers.guard(announce, announce, { isAfterWrite: true })
  }
}
