import type { ComponentChildren } from 'preact'
import type { Comment } from '../../contract/comments.ts'
import { CommentHead, CommentText } from './comment-content.tsx'
import type { Around } from './read-thread.ts'

function Neighbour({ comment }: { comment: Comment }) {
  const { author, body } = comment
  if (author === null && body === '') return <p class="muted">Comment removed</p>
  return (
    <article class="stack tight comment" aria-label={`Comment by ${author?.userName ?? 'deleted user'}`}>
      <CommentHead comment={comment} />
      <CommentText comment={comment} />
    </article>
  )
}

const Neighbours = ({ comments }: { comments: readonly Comment[] }) => (
  <>
    {comments.map((comment) => (
      <Neighbour key={comment._id} comment={comment} />
    ))}
  </>
)

/** A comment within its thread. */
export const ThreadAround = ({ around, children }: { around: Around; children: ComponentChildren }) => (
  <div class="stack tight around">
    {around.first && <Neighbour comment={around.first} />}
    <Neighbours comments={around.before} />
    {children}
    <Neighbours comments={around.after} />
  </div>
)
