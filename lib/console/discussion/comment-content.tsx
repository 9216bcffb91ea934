import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { formatCount } from '../format.ts'
import { Button, PersonName, Time } from '../parts/basics.tsx'
import { linkTo } from '../route.ts'
import { draw } from './draw-markup.tsx'
import { parseMarkup } from './markup.ts'

/** The text of a comment, folded where it is taller than the screen. */
function CommentBody({ body }: { body: string }) {
  const drawn = useMemo(() => parseMarkup(body).map((node) => draw(node, 'held')), [body])
  const text = useRef<HTMLDivElement>(null)
  const [isTall, setTall] = useState(false)
  const [isOpen, setOpen] = useState(false)

  // A layout effect runs before the unfolded text is measured.
  useLayoutEffect(() => {
    if (isOpen || text.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setTall(entry.target.scrollHeight > entry.target.clientHeight)
    })
    observer.observe(text.current)
    return () => observer.disconnect()
  }, [drawn, isOpen])

  return (
    <>
      <div
        // An edited text holds its images again.
        key={body}
        class={isOpen ? 'comment-body' : 'comment-body folded'}
        dir="auto"
        ref={text}
        // The focus may reach a link that is folded away.
        onFocusIn={() => setOpen(true)}
      >
        {drawn}
      </div>
      {isTall && (
        <Button class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} text="Show the whole comment" />
      )}
    </>
  )
}

function Spoiler({ body, isOpen }: { body: string; isOpen: boolean }) {
  const [isShown, setShown] = useState(isOpen)
  return (
    <div class="stack tight">
      <Button class="small" aria-expanded={isShown} onClick={() => setShown(!isShown)} text="Show spoiler" />
      {isShown && <CommentBody body={body} />}
    </div>
  )
}

/** Draws the text of a comment. The text of a spoiler is behind a button unless `isOpen`. */
export const CommentText = ({ comment: { body, isSpoiler }, isOpen }: { comment: Comment; isOpen: boolean }) =>
  isSpoiler ? <Spoiler body={body} isOpen={isOpen} /> : <CommentBody body={body} />

/** True when the viewer may read a comment. The service names the author of a hidden comment only to who may read it. */
export const isReadable = ({ status, author }: Comment) =>
  status === 'visible' || (status === 'hidden' && author !== null)

export type Mark = 'linked' | 'reported'

export const linkToComment = ({ _id, gameId }: Comment) => linkTo('games', gameId, 'comments', _id)

export const nameAuthor = ({ author }: Pick<Comment, 'author'>) => author?.userName ?? 'deleted user'

const initial = (name: string) => [...name][0]?.toUpperCase() ?? '?'

export function CommentHead({ comment }: { comment: Comment }) {
  const { author, createdAt, updatedAt, replyTo, parentId, status, isHeld } = comment
  const name = author?.userName ?? 'Deleted user'
  const isReplyToReply = replyTo !== null && replyTo._id !== parentId
  return (
    <header class="row comment-head">
      <span class="avatar initial" aria-hidden="true">
        {initial(name)}
      </span>
      <strong>
        <PersonName id={author?._id} name={name} />
      </strong>
      {isReplyToReply && replyTo.author && (
        <span class="muted">
          to <PersonName id={replyTo.author._id} name={replyTo.author.userName} />
        </span>
      )}
      <span class="muted">
        <a href={linkToComment(comment)}>
          <Time at={createdAt} isLinked />
        </a>
        {updatedAt !== createdAt && comment.body !== '' && ' · edited'}
      </span>
      {status === 'hidden' && (
        <span class="badge warn">{isHeld ? 'waits for a moderator' : 'Hidden from readers'}</span>
      )}
      {comment.reportsCount !== undefined && comment.reportsCount > 0 && (
        <span class="badge bad">{formatCount(comment.reportsCount, 'report')}</span>
      )}
    </header>
  )
}
