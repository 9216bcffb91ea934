import { useEffect, useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { holdDeletion, toDeletionKey } from '../discussion/comment-content.tsx'
import { ThreadAround } from '../discussion/linked-comment.tsx'
import { useForms } from '../discussion/open-forms.ts'
import { StrayForms } from '../discussion/written-forms.tsx'
import { Page } from '../frame/page.tsx'
import { type ApiError, hall, type Refusable } from '../hall.ts'
import { reload, useQuery } from '../hooks/use-query.ts'
import { gamesById, useGamesRead } from '../names.ts'
import { notify } from '../notices.ts'
import { useActedOn } from '../outbox/outbox.ts'
import { Busy, Button, Problem } from '../parts/basics.tsx'
import { Paged } from '../parts/loaded.tsx'
import { linkTo, readPage } from '../route.ts'
import { isSignedIn, request } from '../session.ts'
import { setWaiting } from '../waiting-counts.ts'

function ReportedComment({ comment, onRead }: { comment: Comment; onRead(): void }) {
  const { _id: id, gameId, isSpoiler } = comment
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const game = gamesById.value.get(gameId)
  const isDeleted = useActedOn(toDeletionKey(id))

  async function change(call: () => Refusable<unknown, number>, done: string) {
    if (!isSignedIn()) return
    setBusy(true)
    const answer = await request(call())
    setBusy(false)
    // Another admin was faster, and the report is gone.
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
      <ThreadAround comment={comment} mark="reported" onRead={onRead} />
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
        <span class="hint">Keep clears the reports. Hide can be undone in the discussion, Delete for 6 seconds.</span>
      </div>
    </li>
  )
}

/** Half of the discussions that a tab may follow, because the next page is drawn before this one is removed. */
const TAKE = 5
const EVERY_MS = 30_000
/** Comments are shown without their threads after this time; a late thread then moves the comments below it. */
const THREADS_WAIT_MS = 500

export function ReportsView() {
  const page = readPage()
  useForms('reports')
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const [waitedFor, setWaitedFor] = useState('')
  const query = useQuery(
    'GET /comments/reported',
    { query: { page, take: TAKE } },
    { everyMs: EVERY_MS, onAnswer: ({ total }, readAt) => setWaiting('reports', total, readAt) },
  )
  const reported = query.answer?.results ?? []
  const ids = reported.map(({ _id }) => _id).join()
  const isNamed = useGamesRead(reported.map(({ gameId }) => gameId))

  useEffect(() => {
    const timer = setTimeout(setWaitedFor, THREADS_WAIT_MS, ids)
    return () => clearTimeout(timer)
  }, [ids])

  return (
    <Page title="Reports" lead="Comments that readers reported, most reports first.">
      <StrayForms />
      <Paged query={query} take={TAKE} icon="chat" empty="No reported comments." hint="Reported comments appear here.">
        {(comments) => {
          const isDrawn = isNamed && (waitedFor === ids || comments.every(({ _id }) => read.has(_id)))
          return (
            <>
              {!isDrawn && <Busy />}
              <ul class="grid reports" aria-label="Reported comments" hidden={!isDrawn}>
                {comments.map((comment) => (
                  <ReportedComment
                    key={comment._id}
                    comment={comment}
                    onRead={() => setRead((ids) => new Set(ids).add(comment._id))}
                  />
                ))}
              </ul>
            </>
          )
        }}
      </Paged>
    </Page>
  )
}
