import type { ComponentChildren } from 'preact'
import type { Comment } from '../../contract/comments.ts'
import { CommentHead, CommentText, nameAuthor } from './comment-content.tsx'
import type { CommentThread } from './read-thread.ts'

interface StaticCommentProps {
  comment: Comment
  /** Whether the address names this comment. */
  isLinked?: boolean
}

/** A comment without the buttons that change it. */
export function StaticComment({ comment, isLinked = false }: StaticCommentProps) {
  const isReadable = comment.author !== null || comment.body !== ''
  return (
    <article
      class={`stack tight comment ${isLinked ? 'linked' : ''}`}
      aria-current={isLinked ? 'true' : undefined}
      aria-label={isReadable ? `Comment by ${nameAuthor(comment)}` : 'Comment removed'}
    >
      {isReadable ? (
        <>
          <CommentHead comment={comment} />
          <CommentText comment={comment} />
        </>
      ) : (
        <p class="muted">{isLinked ? 'This comment may not be read.' : 'Comment removed'}</p>
      )}
    </article>
  )
}

/** A comment between those that precede and follow it in its thread. */
export const ThreadAround = ({ thread, children }: { thread: CommentThread; children: ComponentChildren }) => (
  <div class="stack tight around">
    {thread.before.map((comment) => (
      <StaticComment key={comment._id} comment={comment} />
    ))}
    {children}
    {thread.after.map((comment) => (
      <StaticComment key={comment._id} comment={comment} />
    ))}
  </div>
)
