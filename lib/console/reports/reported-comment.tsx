import { useEffect, useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { CommentBody, CommentHead } from '../discussion/comment-content.tsx'
import { holdDeletion, toDeletionKey } from '../discussion/hold-deletion.ts'
import { type Around, readThread } from '../discussion/read-thread.ts'
import { knownGames } from '../game-names.ts'
import { type ApiError, hall, type Refusable } from '../hall.ts'
import { notify } from '../notices.ts'
import { useActedOn } from '../outbox/outbox.ts'
import { Busy } from '../parts/busy.tsx'
import { Problem } from '../parts/problem.tsx'
import { request } from '../request.ts'
import { linkTo } from '../route.ts'
import { isSignedIn } from '../session.ts'
import { reload } from '../use-query.ts'

const nameAuthor = ({ author }: Comment) => author?.userName ?? 'deleted user'

function Neighbour({ comment }: { comment: Comment }) {
  if (comment.status === 'deleted' || comment.author === null) return <p class="muted">Comment removed</p>
  return (
    <article class="comment" aria-label={`Comment by ${nameAuthor(comment)}`}>
      <CommentHead comment={comment} />
      <CommentBody body={comment.body} />
    </article>
  )
}

function Neighbours({ comments }: { comments: readonly Comment[] }) {
  return (
    <>
      {comments.map((comment) => (
        <Neighbour key={comment._id} comment={comment} />
      ))}
    </>
  )
}

/** A reported comment within its thread, and what can be done about it. */
export function ReportedComment({ comment, onDone }: { comment: Comment; onDone(): void }) {
  const { _id: id, gameId, isSpoiler, body } = comment
  const [around, setAround] = useState<Around>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const game = knownGames.value.get(gameId)
  const isDeleted = useActedOn(toDeletionKey(id))

  useEffect(() => {
    readThread(comment).then(setAround, () => setAround({ first: null, before: [], after: [], others: 0 }))
  }, [id])

  async function change(call: () => Refusable<unknown, number>, done: string) {
    if (!isSignedIn()) return
    setBusy(true)
    const answer = await request(call())
    setBusy(false)
    // Another admin was faster: it is no longer there.
    if (!answer.ok && answer.error.status !== 404) return setError(answer.error)
    notify(answer.ok ? done : `${done}, by somebody else`)
    onDone()
  }
  const remove = () => {
    if (!isSignedIn()) return
    holdDeletion(comment, async () => {
      const answer = await request(hall.call('DELETE /comments/:id', { params: { id } }))
      if (answer.ok) await reload('GET /comments/reported')
      return answer
    })
  }
  const setStatus = (status: 'visible' | 'hidden') =>
    hall.call('PATCH /comments/:id/status', { params: { id }, body: { status } })

  return isDeleted ? null : (
    <li class="report panel">
      <div class="report-head">
        <h2>{game ? <a href={linkTo('games', game.slug)}>{game.name}</a> : 'A game that left the catalogue'}</h2>
        {isSpoiler && <span class="badge">Spoiler</span>}
        {game && <a href={linkTo('games', game.slug, 'comments', id)}>Open in the discussion</a>}
      </div>
      <div class="around">
        {around === undefined && <Busy label="Loading the thread …" />}
        {around?.first && <Neighbour comment={around.first} />}
        <Neighbours comments={around?.before ?? []} />
        <article class="comment reported" aria-label={`Reported comment by ${nameAuthor(comment)}`}>
          <CommentHead comment={comment} />
          <CommentBody body={body} />
        </article>
        <Neighbours comments={around?.after ?? []} />
        {around !== undefined && around.others > 0 && (
          <p class="muted">
            {around.others} more {around.others === 1 ? 'reply' : 'replies'} in this thread
          </p>
        )}
      </div>
      {error && <Problem error={error} />}
      <div class="actions">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => void change(() => setStatus('hidden'), 'The comment is hidden')}
        >
          Hide
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => void change(() => setStatus('visible'), 'The comment stays, its reports are cleared')}
        >
          Keep
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={remove}>
          Delete
        </button>
        <span class="hint">
          Keep clears the reports. Hide can be taken back in the discussion; Delete for 6 seconds.
        </span>
      </div>
    </li>
  )
}
