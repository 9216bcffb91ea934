import { useEffect, useRef, useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { describeError } from '../describe-error.ts'
import { type ApiError, hall, settle } from '../hall.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { linkTo } from '../route.ts'
import { CommentBody, CommentHead } from './comment-content.tsx'
import { type Around, readThread } from './read-thread.ts'

const NOT_FOUND = 404

interface Linked {
  comment: Comment
  around: Around
}

async function readLinked(id: string): Promise<Linked> {
  const comment = await hall.call('GET /comments/:id', { params: { id } })
  return { comment, around: await readThread(comment) }
}

function Article({ comment, isLinked = false }: { comment: Comment; isLinked?: boolean }) {
  const article = useRef<HTMLElement>(null)
  const isReadable = comment.author !== null || comment.body !== ''
  useEffect(() => {
    if (isLinked) article.current?.scrollIntoView({ block: 'center' })
  }, [comment._id, isLinked])

  return (
    <article
      ref={article}
      class={isLinked ? 'comment linked' : 'comment'}
      aria-current={isLinked ? 'true' : undefined}
      aria-label={isReadable ? `Comment by ${comment.author?.userName ?? 'deleted user'}` : 'Comment removed'}
    >
      {isReadable ? (
        <>
          <CommentHead comment={comment} />
          {comment.isSpoiler ? (
            <details class="spoiler">
              <summary>Show spoiler</summary>
              <CommentBody body={comment.body} />
            </details>
          ) : (
            <CommentBody body={comment.body} />
          )}
        </>
      ) : (
        <p class="muted">{isLinked ? 'This comment may not be read.' : 'Comment removed'}</p>
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
  const around = linked?.around

  return (
    <section class="stack" aria-labelledby="linked-comment">
      <h2 id="linked-comment">Linked comment</h2>
      {error && <Empty title={error.status === NOT_FOUND ? 'This comment may not be read.' : describeError(error)} />}
      {!linked && !error && <Busy />}
      {linked && (
        <div class="around">
          {around?.first && <Article comment={around.first} />}
          {around?.before.map((reply) => (
            <Article key={reply._id} comment={reply} />
          ))}
          <Article comment={linked.comment} isLinked />
          {around?.after.map((reply) => (
            <Article key={reply._id} comment={reply} />
          ))}
        </div>
      )}
      <p>
        <a href={linkTo('games', game.slug)}>All comments</a>
      </p>
    </section>
  )
}
