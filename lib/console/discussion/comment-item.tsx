import { useEffect, useRef, useState } from 'preact/hooks'
import type { LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import { copyLink } from '../copy-link.ts'
import { dropDraft, keepDraft } from '../drafts.ts'
import { formatCount } from '../format.ts'
import type { Refusable } from '../hall.ts'
import { notify, notifyError } from '../notices.ts'
import { useActedOn } from '../outbox/outbox.ts'
import { Icon } from '../parts/icon.tsx'
import { memo } from '../parts/memo.ts'
import { request } from '../request.ts'
import { isAdmin, isSignedIn, user } from '../session.ts'
import { CommentBody, CommentHead, linkToComment } from './comment-content.tsx'
import { readCommentDraft } from './comment-draft.ts'
import { CommentForm } from './comment-form.tsx'
import { holdDeletion, toDeletionKey } from './hold-deletion.ts'

interface CommentItemProps {
  comment: Comment
  live: LiveDiscussion
  /** Given for the first comment of a thread only. */
  isThreadOpen?: boolean
  onToggleThread?(): void
  onReply(comment: Comment): void
}

function Spoiler({ body }: { body: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <div class="spoiler">
      <button type="button" class="small" aria-expanded={isShown ? 'true' : 'false'} onClick={() => setShown(!isShown)}>
        Show spoiler
      </button>
      {isShown && <CommentBody body={body} />}
    </div>
  )
}

/** One comment with everything that its viewer may do about it. */
export const CommentItem = memo(function CommentItem(props: CommentItemProps) {
  const { comment, live, isThreadOpen = false, onToggleThread, onReply } = props
  const { _id, author, body, status, isSpoiler, isLiked, isReported, likesCount, repliesCount } = comment
  const [isEditing, setEditing] = useState(readCommentDraft(`edit-${_id}`) !== undefined)
  const [isBusy, setBusy] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(isEditing)
  const wasResumed = useRef(isEditing)
  const [isDeleted, setDeleted] = useState(false)
  const isHeld = useActedOn(toDeletionKey(_id))
  const isReadable = !isHeld && !isDeleted && (status === 'visible' || (status === 'hidden' && author !== null))
  const isOwn = user.value !== null && user.value?.userId === comment.userId

  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  async function begin() {
    wasResumed.current = false
    if (readCommentDraft(`edit-${_id}`) === undefined) {
      const markdown = await import('./markdown.ts').catch(() => undefined)
      if (markdown === undefined) return notifyError(new Error('The editor could not be loaded. Try again'))
      keepDraft(`edit-${_id}`, { text: markdown.toTyped(body), isSpoiler })
    }
    setEditing(true)
  }

  function end() {
    dropDraft(`edit-${_id}`)
    setEditing(false)
  }

  async function change(call: () => Refusable<unknown, number>, done?: string) {
    if (!isSignedIn() || isBusy) return
    setBusy(true)
    const answer = await request(call())
    setBusy(false)
    if (!answer.ok) notifyError(answer.error)
    else if (done) notify(done)
  }

  function remove() {
    if (!isSignedIn()) return
    holdDeletion(comment, async () => {
      const answer = await request(live.remove(_id))
      // Its event may come after the answer.
      setDeleted(answer.ok)
      return answer
    })
  }

  const thread = onToggleThread && (repliesCount > 0 || isThreadOpen) && (
    <button
      type="button"
      class="quiet small"
      aria-expanded={isThreadOpen ? 'true' : 'false'}
      aria-label={formatCount(repliesCount, 'reply', 'replies')}
      onClick={onToggleThread}
    >
      <Icon name="chevron" />
      <Icon name="chat" />
      {repliesCount}
    </button>
  )

  if ((isHeld || isDeleted) && repliesCount === 0) return null
  if (!isReadable) {
    return (
      <article class="comment removed" aria-label="Comment removed">
        <p class="muted">Comment removed</p>
        <div class="actions comment-actions">{thread}</div>
      </article>
    )
  }

  const name = author?.userName ?? 'deleted user'
  return (
    <article class="comment" aria-label={`Comment by ${name}`}>
      <CommentHead comment={comment} />
      {isEditing && isOwn ? (
        <CommentForm
          label="Edit the comment"
          action="Save"
          isFocused={!wasResumed.current}
          start={readCommentDraft(`edit-${_id}`)}
          onType={(draft) => keepDraft(`edit-${_id}`, draft)}
          stored={body}
          send={async (input) => (isSignedIn() ? await request(live.edit(_id, input)) : undefined)}
          onSent={end}
          onClose={() => setEditing(false)}
          onCancel={end}
        />
      ) : isSpoiler ? (
        <Spoiler body={body} />
      ) : (
        <CommentBody body={body} />
      )}
      {!(isEditing && isOwn) && (
        <div class="actions comment-actions">
          <button
            type="button"
            class="quiet small like"
            aria-pressed={isLiked ? 'true' : 'false'}
            disabled={isOwn || status !== 'visible'}
            onClick={() => void change(() => (isLiked ? live.unlike(_id) : live.like(_id)))}
          >
            <Icon name="heart" />
            <span class="hidden">Like </span>
            {likesCount}
          </button>
          {status === 'visible' && (
            <button type="button" class="quiet small" onClick={() => isSignedIn() && onReply(comment)}>
              Reply
            </button>
          )}
          {thread}
          <button type="button" class="quiet small" onClick={() => void copyLink(linkToComment(comment))}>
            Copy link
          </button>
          <span class="spacer" />
          {isOwn && status === 'visible' && (
            <button ref={edit} type="button" class="quiet small" onClick={() => void begin()}>
              Edit
            </button>
          )}
          {isAdmin.value && status === 'visible' && (
            <button type="button" class="quiet small" onClick={() => void change(() => live.setStatus(_id, 'hidden'))}>
              Hide
            </button>
          )}
          {isAdmin.value && status === 'hidden' && (
            <button type="button" class="quiet small" onClick={() => void change(() => live.setStatus(_id, 'visible'))}>
              Show
            </button>
          )}
          {(isOwn || isAdmin.value) && (
            <button type="button" class="quiet small" onClick={remove}>
              Delete
            </button>
          )}
          {!isOwn && status === 'visible' && (
            <button
              type="button"
              class="quiet small"
              disabled={isReported}
              onClick={() => void change(() => live.report(_id), 'Reported. An admin will look at it')}
            >
              {isReported ? 'Reported' : 'Report'}
            </button>
          )}
        </div>
      )}
    </article>
  )
})
