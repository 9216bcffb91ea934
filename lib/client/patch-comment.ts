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

/** Admins alone are told how often a comment was reported, and they may read hidden ones. */
export const isReadable = ({ status, reportsCount }: Comment) =>
  status === 'visible' || (status === 'hidden' && reportsCount !== undefined)

function withStatus(comment: Comment, status: Comment['status']): Comment {
  const changed = { ...comment, status }
  return isReadable(changed) ? changed : { ...changed, body: '', userId: '', author: null }
}

/** A comment after a change; the same object where the change is not about it. Counts are absolute, so twice is once. */
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
      // The edit of a comment that was removed meanwhile may be told last.
      if (!isReadable(comment)) return comment
      return { ...comment, body: event.body, isSpoiler: event.isSpoiler, updatedAt: event.updatedAt }
    case 'status':
      return withStatus(comment, event.status)
    case 'flags': {
      const { isLiked = comment.isLiked, isReported = comment.isReported } = event
      return { ...comment, isLiked, isReported }
    }
    case 'created':
    case 'posted':
      return comment
  }
}

/** Keeps the changes that come while a request is under way: they belong over its answer. */
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
