import { ObjectId } from 'mongodb'
import type { Deps } from './deps.ts'
import { dropChangedDiscussions } from './domain/comments/drop-changed-discussions.ts'
import { createCommentsFollower } from './domain/comments/follow-comments.ts'
import { followConflictChanges } from './domain/conflicts/follow-conflict-changes.ts'
import { followNotifications } from './domain/notifications/follow-notifications.ts'
import { followReports } from './domain/reports/follow-reports.ts'
import { followRoyal } from './domain/royal/follow-royal.ts'
import { isAnswerLost } from './infrastructure/db/is-database-unreachable.ts'
import type { Change } from './infrastructure/events/change.ts'
import type { FeedListener } from './infrastructure/events/feed.ts'

/** Fields of a user that change with the royal list; no session and no comment shows them. */
const ROYAL_FIELDS = new Set(['royalGames', 'updatedAt', 'rev', 'sentBy'])
const FOLLOWED = ['comments', 'conflicts', 'notifications']

function dropChanged(deps: Deps, { collection, type, id, values, fields }: Change): void {
  const key = id instanceof ObjectId ? id.toHexString() : undefined
  // Another program stored the document as a whole, or will, without what only this service counts.
  if (key !== undefined && (type === 'delete' || (type === 'replace' && values.rev === undefined)))
    deps.emit.forget(key)
  if (collection === 'users' && key !== undefined) {
    if (fields?.every((field) => ROYAL_FIELDS.has(field))) return
    deps.sessionUsers.drop(key)
    deps.commentCaches.authors.drop(key)
    if (type === 'delete') deps.emit.disconnectUser(key)
  } else if (collection === 'imports') deps.feed.missChanges()
  else if (collection === 'games' && key !== undefined) deps.existingGames.drop(key)
  // A whole collection is gone, or its ids are not of this service's making.
  else if (!FOLLOWED.includes(collection ?? '') || id === undefined) deps.feed.clearCaches()
}

type Follower = (changes: readonly Change[]) => Promise<void>

/** Makes the listener that keeps caches exact, and sends this instance's sockets what others wrote. */
export function createFeedListener(deps: Deps): FeedListener {
  const sendComments = createCommentsFollower(deps)
  /** By collection, caches first. Each sends nothing when it fails. */
  const followers: readonly (readonly [collection: string, follow: Follower])[] = [
    ['comments', (changes) => dropChangedDiscussions(deps, changes)],
    ['comments', sendComments],
    ['comments', (changes) => followReports(deps, changes)],
    ['users', (changes) => followRoyal(deps, changes)],
    ['notifications', (changes) => followNotifications(deps, changes)],
    ['conflicts', (changes) => followConflictChanges(deps, changes)],
  ]

  return {
    async onChanges(changes) {
      for (const change of changes) dropChanged(deps, change)
      for (const [name, follow] of followers) {
        const ofCollection = changes.filter(({ collection }) => collection === name)
        const followAlone = (change: Change) =>
          follow([change]).catch((error: unknown) => {
            // The same changes come again.
            if (isAnswerLost(error)) throw error
            deps.log.error({ err: error, collection: name, id: change.id }, 'a change could not be followed')
            deps.feed.missChanges()
          })
        if (ofCollection.length === 0) continue
        await follow(ofCollection).catch(async (error: unknown) => {
          if (isAnswerLost(error)) throw error
          for (const change of ofCollection) await followAlone(change)
        })
      }
    },
    onChangesMissed: () => deps.emit.reconnectClients(),
  }
}
