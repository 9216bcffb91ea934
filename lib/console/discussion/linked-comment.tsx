import { useEffect, useRef } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { describeError } from '../describe-error.ts'
import { Busy, Empty } from '../parts/basics.tsx'
import { useLive, useQuery } from '../parts/query.tsx'
import { linkTo } from '../route.ts'
import { hall } from '../session.ts'
import { isReadable, linkToComment, type Mark } from './comment-content.tsx'
import { Thread } from './thread.tsx'

const UNREADABLE = 'This comment may not be read.'

interface ThreadAroundProps {
  comment: Comment
  mark: Mark
  onRead(): void
}

/** A comment within its thread, live: the first comment and some replies on each side. */
export function ThreadAround({ comment, mark, onRead }: ThreadAroundProps) {
  const { _id, gameId, parentId } = comment
  const { live, state } = useLive(() => hall.discussion(gameId, { around: comment }), [_id])
  const { status, comments, replies } = state
  const isReady = status === 'ready'
  const first = isReady ? comments[0] : comment
  const thread = first && replies[first._id]
  const shown = [...comments, ...(thread?.comments ?? [])].find((reply) => reply._id === _id)
  const isGone = shown ? !isReadable(shown) : parentId === null || thread !== undefined
  useEffect(() => {
    if (status !== 'loading') onRead()
  }, [status])

  return (
    <>
      {isReady && isGone && <p class="muted">{UNREADABLE}</p>}
      {first && (
        <ul class="comments around" aria-label="Thread">
          <Thread first={first} live={live} replies={thread} markedId={_id} mark={mark} />
        </ul>
      )}
    </>
  )
}

/** The thread of the comment that the address names, above the discussion. */
export function LinkedComment({ id, game }: { id: string; game: { _id: string; slug: string } }) {
  const { answer: comment, error } = useQuery('GET /comments/:id', { params: { id } })
  const section = useRef<HTMLElement>(null)
  const isMissing = error?.status === 404
  const isElsewhere = comment !== undefined && comment.gameId !== game._id
  useEffect(() => {
    if (isElsewhere) location.replace(linkToComment(comment))
  }, [isElsewhere])

  return (
    <section class="stack" aria-labelledby="linked-comment" ref={section}>
      <h2 id="linked-comment">Linked comment</h2>
      {error && (isMissing || !comment) && <Empty title={isMissing ? UNREADABLE : describeError(error)} />}
      {comment && !isMissing && !isElsewhere && (
        <ThreadAround
          key={id}
          comment={comment}
          mark="linked"
          onRead={() => section.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })}
        />
      )}
      {!comment && !error && <Busy />}
      <p>
        <a href={linkTo('games', game.slug)}>All comments</a>
      </p>
    </section>
  )
}
