import { useEffect, useRef, useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { describeError } from '../describe-error.ts'
import { type ApiError, hall, settle } from '../hall.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { linkTo } from '../route.ts'
import { CommentHead, CommentText } from './comment-content.tsx'
import { type Around, readThread } from './read-thread.ts'
import { ThreadAround } from './thread-around.tsx'

const NOT_FOUND = 404

interface Linked {
  comment: Comment
  around: Around
}

async function readLinked(id: string): Promise<Linked> {
  const comment = await hall.call('GET /comments/:id', { params: { id } })
  return { comment, around: await readThread(comment) }
}

function Article({ comment }: { comment: Comment }) {
  const article = useRef<HTMLElement>(null)
  const isReadable = comment.author !== null || comment.body !== ''
  useEffect(() => article.current?.scrollIntoView({ block: 'center' }), [comment._id])

  return (
    <article
      ref={article}
      class="stack tight comment linked"
      aria-current="true"
      aria-label={isReadable ? `Comment by ${comment.author?.userName ?? 'deleted user'}` : 'Comment removed'}
    >
      {isReadable ? (
        <>
          <CommentHead comment={comment} />
          <CommentText comment={comment} />
        </>
      ) : (
        <p class="muted">This comment may not be read.</p>
      )}
    </article>
  )
}

/** The thread of the comment that the address names, read once; the discussion below it is live. */
export function LinkedComment({ id, game }: { id: string; game: { slug: string } }) {
  const [linked, setLinked] = useState<Linked>()
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    setLinked(undefined)
    void settle(readLinked(id)).then((answer) => {
      setError(answer.ok ? undefined : answer.error)
      if (answer.ok) setLinked(answer.value)
    })
  }, [id])

  return (
    <section class="stack" aria-labelledby="linked-comment">
      <h2 id="linked-comment">Linked comment</h2>
      {error && <Empty title={error.status === NOT_FOUND ? 'This comment may not be read.' : describeError(error)} />}
      {!linked && !error && <Busy />}
      {linked && (
        <ThreadAround around={linked.around}>
          <Article comment={linked.comment} />
        </ThreadAround>
      )}
      <p>
        <a href={linkTo('games', game.slug)}>All comments</a>
      </p>
    </section>
  )
}
