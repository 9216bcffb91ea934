import type { ObjectId } from 'mongodb'
import type { CommentStatus } from '../contract/comments.ts'
import type { CommentStatusChanged } from '../contract/comments-namespace.ts'
import type { Announced } from '../emitter.ts'
import { toSaid } from '../events/announcement.ts'
import { announceAgain } from './announce-again.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { moveRepliesCount } from './move-replies-count.ts'

interface CountStatusChangeInput {
  /** The comment as it was when the one update that changed it matched. */
  before: CommentRow
  status: CommentStatus
  /** The reply's `visibilityChange` after that update, where it was one. */
  change: ObjectId
  sender: string | undefined
}

function toSubject({ _id, gameId, parentId }: CommentRow, status: CommentStatus) {
  return {
    gameId: gameId.toHexString(),
    commentId: _id.toHexString(),
    parentId: parentId?.toHexString() ?? null,
    status,
  }
}

/** Carries a comment's new status to the count of its thread, with the announcement, and makes the event of it. */
export async function countStatusChange(
  deps: CommentsDeps,
  { before, status, change, sender }: CountStatusChangeInput,
): Promise<Announced<CommentStatusChanged>> {
  const { parentId } = before
  const subject = toSubject(before, status)
  const rev = (before.rev ?? 0) + 1
  const by = Number(status === 'visible') - Number(before.status === 'visible')
  if (parentId === null || (by !== 1 && by !== -1))
    return { payload: { ...subject, parentRepliesCount: null }, version: { rev } }

  const said = toSaid(deps, { event: 'comment:status', payload: subject, sender, subjectRev: rev })
  const thread = await deps.feed.lostAnswers.guard(
    () => moveRepliesCount(deps, { threadId: parentId, change, by, said }),
    () => announceAgain(deps, 'comment:status', before._id, change),
    { isAfterWrite: true },
  )
  return {
    payload: { ...subject, parentRepliesCount: thread?.repliesCount ?? null },
    version: { rev, threadRev: thread?.rev },
  }
}
