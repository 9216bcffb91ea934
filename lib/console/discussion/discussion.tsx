import { useRef, useState } from 'preact/hooks'
import type { DiscussionState, LiveDiscussion } from '../../client/live-discussion.ts'
import type { CommentSort } from '../../contract/comments.ts'
import { describeError } from '../describe-error.ts'
import { Busy, Button, Empty } from '../parts/basics.tsx'
import { useLive } from '../parts/query.tsx'
import { hall } from '../session.ts'
import { CommentForm } from './comment-form.tsx'
import { useForms } from './open-forms.ts'
import { Thread } from './thread.tsx'
import { StrayForms } from './written-forms.tsx'

const SORTS: readonly { value: CommentSort; name: string }[] = [
  { value: 'top', name: 'Top' },
  { value: 'new', name: 'New' },
]

function Comments({ live, state }: { live: LiveDiscussion; state: DiscussionState }) {
  const { status, comments, unseen, hasMore, replies, error } = state
  const list = useRef<HTMLUListElement>(null)

  if (status === 'loading') return <Busy />
  if (status === 'failed')
    return (
      <Empty title={error ? describeError(error) : 'The discussion could not be loaded'}>
        The page retries automatically.
      </Empty>
    )

  return (
    <>
      <div class="new-comments">
        {unseen > 0 && (
          <button
            type="button"
            aria-label={`${unseen} new comments`}
            onClick={() => {
              live.showNew()
              list.current?.focus()
            }}
          >
            {unseen === 1 ? '1 new comment' : `${unseen} new comments`}
          </button>
        )}
      </div>
      {comments.length === 0 && unseen === 0 && <Empty title="No comments yet.">Be the first.</Empty>}
      <ul class="comments" aria-label="Discussion" ref={list} tabIndex={-1}>
        {comments.map((comment) => (
          <Thread key={comment._id} first={comment} live={live} replies={replies[comment._id]} />
        ))}
      </ul>
      {hasMore && <Button class="more" onClick={() => live.more()} text="More comments" />}
    </>
  )
}

export function Discussion({ gameId }: { gameId: string }) {
  const [sort, setSort] = useState<CommentSort>('top')
  useForms(gameId)
  const { live, state } = useLive(() => hall.discussion(gameId, { sort }), [gameId, sort])

  return (
    <section class="stack waits discussion" aria-labelledby="discussion">
      <div class="row spread">
        <h2 id="discussion">Discussion</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: two buttons of one kind, not a part of a form. */}
        <div class="row sort" role="group" aria-label="Sort">
          {SORTS.map(({ value, name }) => (
            <Button
              key={value}
              class="quiet small"
              aria-pressed={value === sort}
              onClick={() => setSort(value)}
              text={name}
            />
          ))}
        </div>
      </div>
      <CommentForm key={gameId} live={live} gameId={gameId} label="Write a comment" action="Post" about={gameId} />
      <StrayForms />
      <Comments live={live} state={state} />
    </section>
  )
}
