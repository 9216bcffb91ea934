import { useMemo } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { Time } from '../parts/time.tsx'
import { linkTo } from '../route.ts'
import { trustCommentBody } from '../trusted-html.ts'

/** The text of a comment as the service cleaned it. */
export function CommentBody({ body }: { body: string }) {
  const html = useMemo(() => ({ __html: trustCommentBody(body) }), [body])
  // The service cleaned it, and the page's policy lets nothing else in.
  return <div class="comment-body" dangerouslySetInnerHTML={html} />
}

export const linkToComment = ({ _id, gameId }: Comment) => linkTo('games', gameId, 'comments', _id)

const initial = (name: string) => [...name][0]?.toUpperCase() ?? '?'

/** Author, time and addressee of a comment. */
export function CommentHead({ comment }: { comment: Comment }) {
  const { author, createdAt, updatedAt, replyTo, parentId, status } = comment
  const name = author?.userName ?? 'Deleted user'
  const isReplyToReply = replyTo !== null && replyTo._id !== parentId
  return (
    <header class="comment-head">
      <span class="avatar" aria-hidden="true">
        {initial(name)}
      </span>
      <strong>{name}</strong>
      {isReplyToReply && replyTo.author && <span class="muted">to {replyTo.author.userName}</span>}
      <span class="muted">
        <a href={linkToComment(comment)}>
          <Time at={createdAt} isLinked />
        </a>
        {updatedAt !== createdAt && comment.body !== '' && ' · edited'}
      </span>
      {status === 'hidden' && <span class="badge warn">Hidden from readers</span>}
      {comment.reportsCount !== undefined && comment.reportsCount > 0 && (
        <span class="badge bad">
          {comment.reportsCount} {comment.reportsCount === 1 ? 'report' : 'reports'}
        </span>
      )}
    </header>
  )
}
