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

/** Fields of a user that change with the royal list. No cache holds them. */
const ROYAL_FIELDS = new Set(['royalGames', 'updatedAt', 'rev', 'sentBy'])
/** The collections whose followers drop what they have cached. */
const FOLLOWED = ['comments', 'conflicts', 'notifications']

function dropUser(deps: Deps, id: string, { type, fields }: Change): void {
  if (fields?.every((field) => ROYAL_FIELDS.has(field))) return
  deps.sessionUsers.drop(id)
  deps.commentCaches.authors.drop(id)
  if (type === 'delete') deps.emit.disconnectUser(id)
}

function dropChanged(deps: Deps, change: Change): void {
  const { collection = '', type, id, values } = change
  const key = id instanceof ObjectId ? id.toHexString() : undefined
  // Another program replaced the document, or may insert it again, without the `rev` that this service counts.
  if (key !== undefined && (type === 'delete' || (type === 'replace' && values.rev === undefined)))
    deps.emit.forget(key)

  if (collection === 'users' && key !== undefined) dropUser(deps, key, change)
  else if (collection === 'games' && key !== undefined) deps.existingGames.drop(key)
  else if (collection === 'imports') deps.feed.missChanges()
  // The change is that of a whole collection, or of a document whose id is not one of this service.
  else if (!FOLLOWED.includes(collection) || id === undefined) deps.feed.clearCaches()
}

type Follower = (changes: readonly Change[]) => Promise<void>

/** Makes the listener that keeps caches exact, and sends the changes of other instances to the sockets of this one. */
export function createFeedListener(deps: Deps): FeedListener {
  const sendComments = createCommentsFollower(deps)
  /** The followers of each collection, that of caches first. A follower that fails has sent nothing. */
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
            // The feed delivers the same changes again.
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
