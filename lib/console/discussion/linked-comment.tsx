import { useEffect, useRef, useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { describeError } from '../describe-error.ts'
import { type ApiError, hall, settle } from '../hall.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { linkTo } from '../route.ts'
import { type CommentThread, readThread, StaticComment, ThreadAround } from './comment-thread.tsx'

const NOT_FOUND = 404

interface Linked {
  comment: Comment
  thread: CommentThread
}

async function readLinked(id: string): Promise<Linked> {
  const comment = await hall.call('GET /comments/:id', { params: { id } })
  return { comment, thread: await readThread(comment) }
}

/** The thread of the comment that the address names, read once; the discussion below it is live. */
export function LinkedComment({ id, game }: { id: string; game: { slug: string } }) {
  const [linked, setLinked] = useState<Linked>()
  const [error, setError] = useState<ApiError>()
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    setLinked(undefined)
    void settle(readLinked(id)).then((answer) => {
      setError(answer.ok ? undefined : answer.error)
      if (answer.ok) setLinked(answer.value)
    })
  }, [id])
  useEffect(() => section.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' }), [linked])

  return (
    <section class="stack" aria-labelledby="linked-comment" ref={section}>
      <h2 id="linked-comment">Linked comment</h2>
      {error && <Empty title={error.status === NOT_FOUND ? 'This comment may not be read.' : describeError(error)} />}
      {!linked && !error && <Busy />}
      {linked && (
        <ThreadAround thread={linked.thread}>
          <StaticComment comment={linked.comment} isLinked />
        </ThreadAround>
      )}
      <p>
        <a href={linkTo('games', game.slug)}>All comments</a>
      </p>
    </section>
  )
}
