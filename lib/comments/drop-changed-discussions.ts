import { ObjectId } from 'mongodb'
import type { Change } from '../events/change.ts'
import { dropDiscussion, dropPages, type ThreadRef } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { keepThreadRef, loadThreadRefs } from './thread-refs.ts'

type DropDeps = Pick<CommentsDeps, 'db' | 'emit' | 'commentCaches'>

/** These change what a page shows, and not which comments are listed. */
const SHOWN_FIELDS = new Set([
  'likedBy',
  'likesCount',
  'reportedBy',
  'reportsCount',
  'body',
  'isSpoiler',
  'updatedAt',
  'rev',
  'sentBy',
])

function clearDiscussions({ commentCaches: { pages, totals } }: DropDeps): void {
  pages.clear()
  totals.clear()
}

/** Whether a change may concern how many comments a game lists. */
function isListChange({ type, fields, values: { parentId, repliesCount } }: Change): boolean {
  if (type === 'insert') return !(parentId instanceof ObjectId)
  // With its first reply, or without its last one, a comment that may not be read is listed or not.
  const isCountOnly = repliesCount !== undefined && repliesCount > 1
  return !fields?.every((field) => SHOWN_FIELDS.has(field) || (field === 'repliesCount' && isCountOnly))
}

/** Notes where a changed comment is now, and answers where it was. */
function moveThreadRef({ commentCaches }: DropDeps, { type, id, fields, values }: Change): ThreadRef | undefined {
  if (!(id instanceof ObjectId)) return undefined
  const key = id.toHexString()
  const before = commentCaches.threadRefs.get(key)
  const isMoved = fields?.some((field) => field === 'gameId' || field === 'parentId')
  if (type === 'delete' || isMoved) commentCaches.threadRefs.delete(key)
  const { gameId, parentId = null } = values
  if (gameId && (type === 'insert' || type === 'replace'))
    keepThreadRef({ commentCaches }, { _id: id, gameId, parentId })
  return before
}

/** Drops the pages of a changed comment where its game is known; answers its id where that has to be looked up. */
function dropKnown(deps: DropDeps, change: Change): ObjectId | null {
  const { id, type, fields, values } = change
  const before = moveThreadRef(deps, change)
  const drop = isListChange(change) ? dropDiscussion : dropPages
  if (values.gameId) drop(deps, values.gameId)
  if (before) drop(deps, before.gameId)
  if (before || (type === 'insert' && values.gameId)) return null
  if (id instanceof ObjectId && type === 'update' && !fields?.includes('gameId')) return id
  clearDiscussions(deps)
  return null
}

/** Forgets the cached pages of the discussions in which others changed comments. Until a game is known, no page is trusted. */
export async function dropChangedDiscussions(deps: DropDeps, changes: readonly Change[]): Promise<void> {
  const { pages, totals, threadRefs } = deps.commentCaches
  const unknown = changes.flatMap((change) => dropKnown(deps, change) ?? [])
  const isNeeded = !pages.isEmpty || !totals.isEmpty || deps.emit.comments.hasSubscribers()
  if (unknown.length === 0 || !isNeeded) return

  const resumes = [pages.pause(), totals.pause()]
  try {
    await loadThreadRefs(deps, unknown)
    for (const id of unknown) {
      const ref = threadRefs.get(id.toHexString())
      if (ref === undefined) clearDiscussions(deps)
      else dropDiscussion(deps, ref.gameId)
    }
  } catch (error) {
    clearDiscussions(deps)
    throw error
  } finally {
    for (const resume of resumes) resume()
  }
}
