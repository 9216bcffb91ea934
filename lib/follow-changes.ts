import { ObjectId } from 'mongodb'
import { dropChangedDiscussion, followCommentChange } from './comments/follow-comment-change.ts'
import { watchUncounted } from './comments/watch-uncounted.ts'
import { createKeyedQueue } from './concurrency/keyed-queue.ts'
import { ConflictDecided, ConflictsApplied } from './contract/conflicts-namespace.ts'
import type { Deps } from './deps.ts'
import { type Announcement, parseSaid } from './events/announcement.ts'
import type { Change } from './events/change.ts'
import type { FeedListener } from './events/feed.ts'
import { followRoyalChange } from './royal/follow-royal-change.ts'

/** Fields of a user that change with the royal list; no session and no comment shows them. */
const ROYAL_FIELDS = new Set(['royalGames', 'royalChange', 'updatedAt', 'rev', 'said', 'sentBy'])

const toHex = (id: unknown) => (id instanceof ObjectId ? id.toHexString() : undefined)

function dropUser({ sessionUsers, commentCaches: { authors } }: Deps, { fields }: Change, userId: string): void {
  if (fields?.every((field) => ROYAL_FIELDS.has(field))) return
  sessionUsers.drop(userId)
  authors.drop(userId)
}

/** Drops the document that another process changed from the caches. */
function dropChanged(deps: Deps, change: Change, announcement: Announcement | null): void {
  const { collection } = change
  const id = toHex(change.id)
  // Another program stored the document as a whole, or will, without what only this service counts.
  if (
    id !== undefined &&
    (change.type === 'delete' || (change.type === 'replace' && change.values.rev === undefined))
  ) {
    deps.emit.forget(id)
  }
  if (collection === 'conflicts' || collection === 'announcements') return
  if (collection === 'comments' && change.id) dropChangedDiscussion(deps, change, announcement)
  else if (collection === 'users' && id !== undefined) dropUser(deps, change, id)
  else if (collection === 'games' && id !== undefined) deps.existingGames.drop(id)
  // A whole collection is gone, or its ids are not of this service's making.
  else deps.feed.clearCaches()
}

async function announce(deps: Deps, change: Change, announcement: Announcement): Promise<void> {
  const { event, payload } = announcement
  const { decided, applied } = deps.emit.conflicts
  switch (event) {
    case 'royal:changed':
      return followRoyalChange(deps, change, announcement)
    case 'conflict:decided': {
      const decision = ConflictDecided.parse(payload)
      decided(decision, { isRemote: true, rev: change.values.rev, documentId: toHex(change.id) })
      deps.batchWriter.wake(decision.source)
      return
    }
    case 'conflicts:applied':
      return applied(ConflictsApplied.parse(payload), { isRemote: true })
    default:
      return followCommentChange(deps, change, announcement)
  }
}

/** Makes the listener that keeps caches exact and announces the writes of other processes to this instance's sockets. */
export function createFeedListener(deps: Deps): FeedListener {
  /** Some events need a read; those of the same discussion or list wait for them, so that they leave in order. */
  const queue = createKeyedQueue({ maxWaitMs: Number.POSITIVE_INFINITY })
  const followReply = watchUncounted(deps)

  return {
    onChange(change) {
      const said = change.said === null ? null : parseSaid(change.said)
      dropChanged(deps, change, said)
      // Another process's: the own one counts its replies, and its announcements of that do not come back.
      if (said?.instance !== deps.instance) followReply(change, said)
      // A replaced document shows its last announcement again, also when another program replaced it.
      if (said === null || said.event === null || said.instance === deps.instance) return
      const key = String(said.payload.gameId ?? toHex(change.id) ?? change.collection)
      queue
        .run(key, () => announce(deps, change, said))
        .catch((error: unknown) => deps.log.warn({ err: error }, 'a change of another instance could not be announced'))
    },
    onHistoryLost: () => deps.emit.reconnectClients(),
  }
}
