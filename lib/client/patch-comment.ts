import type { Comment } from '../contract/comments.ts'
import type {
  CommentCreated,
  CommentLikes,
  CommentStatusChanged,
  CommentUpdated,
} from '../contract/namespaces/comments.ts'

/** A change of a discussion: an event, or the viewer's own flags from an answer. */
export type DiscussionChange =
  | { kind: 'created'; event: CommentCreated }
  | { kind: 'updated'; event: CommentUpdated }
  | { kind: 'status'; event: CommentStatusChanged }
  | { kind: 'likes'; event: CommentLikes }
  | { kind: 'flags'; event: { commentId: string; isLiked?: boolean; isReported?: boolean } }
  | { kind: 'posted'; event: { commentId: string; comment: Comment } }

/** True when the viewer may read a comment: only admins get `reportsCount`, only its author gets `isHeld`. */
export const isReadable = ({ status, reportsCount, isHeld }: Comment) =>
  status === 'visible' || (status === 'hidden' && (reportsCount !== undefined || isHeld === true))

function withStatus({ isHeld: _isHeld, ...comment }: Comment, status: Comment['status']): Comment {
  const changed = { ...comment, status }
  return isReadable(changed) ? changed : { ...changed, body: '', userId: '', author: null }
}

/** Applies a change to a comment, or answers the same object. Counts are absolute, so a repetition is harmless. */
export function patchComment(comment: Comment, { kind, event }: DiscussionChange): Comment {
  if (
    (kind === 'created' || kind === 'status') &&
    event.parentId === comment._id &&
    event.parentRepliesCount !== null
  ) {
    return { ...comment, repliesCount: event.parentRepliesCount }
  }
  if (kind === 'status' && event.status !== 'visible' && comment.replyTo?._id === event.commentId) {
    const answered = withStatus({ ...comment, author: comment.replyTo.author }, event.status)
    return { ...comment, replyTo: { _id: event.commentId, author: answered.author } }
  }
  if (event.commentId !== comment._id) return comment
  switch (kind) {
    case 'likes':
      return { ...comment, likesCount: event.likesCount }
    case 'updated':
      // The event of an edit may arrive after the comment was removed.
      if (!isReadable(comment)) return comment
      return { ...comment, body: event.body, isSpoiler: event.isSpoiler, updatedAt: event.updatedAt }
    case 'status':
      // The event of an edit that waits may arrive after a read.
      return event.status === comment.status ? comment : withStatus(comment, event.status)
    case 'flags': {
      const { isLiked = comment.isLiked, isReported = comment.isReported } = event
      return { ...comment, isLiked, isReported }
    }
    case 'created':
    case 'posted':
      return comment
  }
}

/** Records the changes that arrive during a request, because they must be applied to its answer. */
export function createChangeLog() {
  const logs = new Set<DiscussionChange[]>()
  return {
    push(change: DiscussionChange) {
      for (const log of logs) log.push(change)
    },
    async during<T>(request: () => Promise<T>): Promise<{ answer: T; since: readonly DiscussionChange[] }> {
      const since: DiscussionChange[] = []
      logs.add(since)
      try {
        return { answer: await request(), since }
      } finally {
        logs.delete(since)
      }
    },
  }
}

export type ChangeLog = ReturnType<typeof createChangeLog>
