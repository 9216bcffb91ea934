import { ObjectId } from 'mongodb'
import type { Change } from '../../infrastructure/events/change.ts'
import type { CommentsDeps } from './deps.ts'
import { keepThreadRef, loadThreadRefs } from './thread-refs.ts'

/** Drops the pages of a changed comment when its game is cached. Returns its id when the game must be looked up. */
function dropCached({ commentCaches }: CommentsDeps, { type, id, fields, values }: Change): ObjectId | null {
  const { threadRefs } = commentCaches
  const key = id instanceof ObjectId ? id.toHexString() : ''
  const isInserted = type === 'insert'
  const isMoved = fields?.some((field) => field === 'gameId' || field === 'parentId') ?? false
  const mayHaveLeft = isMoved || !(isInserted || type === 'update')
  const before = threadRefs.get(key)
  if (before) commentCaches.dropDiscussion(before.gameId)
  // The comment may have left any discussion.
  else if (mayHaveLeft) commentCaches.clearDiscussions()
  if (mayHaveLeft) threadRefs.delete(key)
  if (!(id instanceof ObjectId)) return null

  const { gameId, parentId = null } = values
  if (!isInserted && type !== 'replace') return type === 'update' && !threadRefs.has(key) ? id : null
  // Without a game that is an id no list shows the comment.
  if (gameId) commentCaches.dropDiscussion(keepThreadRef({ commentCaches }, { _id: id, gameId, parentId }).gameId)
  return null
}

/** Drops the cached pages of comments that others changed, and caches the threads of all these comments. */
export async function dropChangedDiscussions(deps: CommentsDeps, changes: readonly Change[]): Promise<void> {
  const { commentCaches } = deps
  const uncached = changes.flatMap((change) => dropCached(deps, change) ?? [])
  try {
    await loadThreadRefs(deps, uncached)
  } catch (error) {
    commentCaches.clearDiscussions()
    throw error
  }
  for (const id of uncached) {
    const ref = commentCaches.threadRefs.get(id.toHexString())
    if (ref === undefined) commentCaches.clearDiscussions()
    else commentCaches.dropDiscussion(ref.gameId)
  }
}
