import { ObjectId } from 'mongodb'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Change } from '../../infrastructure/events/change.ts'
import { clearDiscussions, dropDiscussion, dropPages } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { keepThreadRef, loadThreadRefs } from './thread-refs.ts'

/** Fields that change a page, but not how many comments are listed. */
const SHOWN_FIELDS = new Set<string>([
  'likedBy',
  'likesCount',
  'reportedBy',
  'reportsCount',
  'decidedReportsCount',
  'body',
  'isSpoiler',
  'updatedAt',
  'rev',
  'sentBy',
] satisfies (keyof CommentDocument)[])

/** Drops the pages of a changed comment when its game is cached. Returns its id when the game must be looked up. */
function dropCached(deps: CommentsDeps, { type, id, fields, values }: Change): ObjectId | null {
  const { threadRefs } = deps.commentCaches
  const key = id instanceof ObjectId ? id.toHexString() : ''
  const isMoved = fields?.some((field) => field === 'gameId' || field === 'parentId') ?? false
  const before = threadRefs.get(key)
  const drop = fields?.every((field) => SHOWN_FIELDS.has(field)) ? dropPages : dropDiscussion
  if (before) drop(deps, before.gameId)
  // The comment may have left any discussion.
  else if (isMoved || (type !== 'insert' && type !== 'update')) clearDiscussions(deps)
  if (isMoved || type === 'delete') threadRefs.delete(key)
  if (!(id instanceof ObjectId)) return null

  const { gameId, parentId = null } = values
  if (type !== 'insert' && type !== 'replace') return type === 'update' && !threadRefs.has(key) ? id : null
  if (gameId) dropDiscussion(deps, keepThreadRef(deps, { _id: id, gameId, parentId }).gameId)
  return null
}

/** Drops the cached pages of comments that others changed, and caches the threads of all these comments. */
export async function dropChangedDiscussions(deps: CommentsDeps, changes: readonly Change[]): Promise<void> {
  const uncached = changes.flatMap((change) => dropCached(deps, change) ?? [])
  try {
    await loadThreadRefs(deps, uncached)
  } catch (error) {
    clearDiscussions(deps)
    throw error
  }
  for (const id of uncached) {
    const ref = deps.commentCaches.threadRefs.get(id.toHexString())
    if (ref === undefined) clearDiscussions(deps)
    else dropDiscussion(deps, ref.gameId)
  }
}
