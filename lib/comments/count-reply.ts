import type { CommentDocument } from '../db/collections/comments.ts'
import { toSaid } from '../events/announcement.ts'
import { dropDiscussion } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { moveRepliesCount } from './move-replies-count.ts'

type Reply = Pick<CommentDocument, '_id' | 'gameId' | 'parentId' | 'status' | 'visibilityChange' | 'rev'>

interface CountReplyInput {
  reply: Reply
  event: 'comment:created' | 'comment:status'
  /** The socket that is not told. */
  sender?: string | undefined
}

/**
 * Counts a stored reply in its thread, unless that was done, and announces it to all instances: the step after its write.
 * Repeating it changes nothing and tells nobody twice.
 */
export async function countReply(
  deps: Pick<CommentsDeps, 'db' | 'emit' | 'commentCaches' | 'instance' | 'failpoint'>,
  { reply, event, sender }: CountReplyInput,
): Promise<void> {
  const { _id, gameId, parentId: threadId, status, visibilityChange, rev } = reply
  const isNew = event === 'comment:created'
  const change = isNew ? _id : visibilityChange
  if (threadId === null || change === undefined) return

  const { comments } = deps.emit
  const subject = { gameId: gameId.toHexString(), commentId: _id.toHexString(), parentId: threadId.toHexString() }
  const said = isNew
    ? toSaid(deps, { event, payload: subject, sender })
    : toSaid(deps, { event, payload: { ...subject, status }, sender, subjectRev: rev })
  const by = isNew || status === 'visible' ? 1 : -1
  const thread = await moveRepliesCount(deps, { threadId, change, by, said })
  dropDiscussion(deps, gameId)
  const parentRepliesCount = thread?.repliesCount ?? null
  const threadRev = thread?.rev
  if (isNew) comments.created({ ...subject, parentRepliesCount }, { threadRev, except: sender })
  else comments.status({ ...subject, parentRepliesCount, status }, { rev, threadRev, except: sender })
}
