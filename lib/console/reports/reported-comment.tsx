import { useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { request } from '../call-service.ts'
import { CommentBody, CommentHead, nameAuthor } from '../discussion/comment-content.tsx'
import { ThreadAround } from '../discussion/comment-thread.tsx'
import { holdDeletion, toDeletionKey } from '../discussion/hold-deletion.ts'
import type { CommentThread } from '../discussion/read-thread.ts'
import { formatCount } from '../format.ts'
import { knownGames } from '../game-names.ts'
import { type ApiError, hall, type Refusable } from '../hall.ts'
import { reload } from '../hooks/use-query.ts'
import { notify } from '../notices.ts'
import { useActedOn } from '../outbox/outbox.ts'
import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/problem.tsx'
import { linkTo } from '../route.ts'
import { isSignedIn } from '../session.ts'

interface ReportedCommentProps {
  comment: Comment
  thread: CommentThread
}

/** A reported comment within its thread, and what can be done about it. */
export function ReportedComment({ comment, thread }: ReportedCommentProps) {
  const { _id: id, gameId, isSpoiler, body } = comment
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const game = knownGames.value.get(gameId)
  const isDeleted = useActedOn(toDeletionKey(id))

  async function change(call: () => Refusable<unknown, number>, done: string) {
    if (!isSignedIn()) return
    setBusy(true)
    const answer = await request(call())
    setBusy(false)
    // Another admin was faster: it is no longer there.
    if (!answer.ok && answer.error.status !== 404) return setError(answer.error)
    notify(answer.ok ? done : `${done}, by somebody else`)
    await reload('GET /comments/reported')
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
    <li class="stack panel report">
      <div class="row">
        <h2>{game ? <a href={linkTo('games', game.slug)}>{game.name}</a> : 'A game that left the catalogue'}</h2>
        {isSpoiler && <span class="badge">Spoiler</span>}
        {game && <a href={linkTo('games', game.slug, 'comments', id)}>Open in the discussion</a>}
      </div>
      <ThreadAround thread={thread}>
        <article class="stack tight comment reported warn" aria-label={`Reported comment by ${nameAuthor(comment)}`}>
          <CommentHead comment={comment} />
          <CommentBody body={body} />
        </article>
      </ThreadAround>
      {thread.others > 0 && (
        <p class="muted">{formatCount(thread.others, 'more reply', 'more replies')} in this thread</p>
      )}
      {error && <Problem error={error} />}
      <div class="row">
        <Button
          disabled={isBusy}
          onClick={() => void change(() => setStatus('hidden'), 'The comment is hidden')}
          text="Hide"
        />
        <Button
          disabled={isBusy}
          onClick={() => void change(() => setStatus('visible'), 'The comment stays, its reports are cleared')}
          text="Keep"
        />
        <Button class="danger" disabled={isBusy} onClick={remove} text="Delete" />
        <span class="hint">
          Keep clears the reports. Hide can be taken back in the discussion; Delete for 6 seconds.
        </span>
      </div>
    </li>
  )
}
