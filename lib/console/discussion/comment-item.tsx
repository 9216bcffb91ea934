import type { ComponentProps } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import { formatCount, formatNumber } from '../format.ts'
import { notify, notifyError } from '../notices.ts'
import { hold, useActedOn } from '../outbox/outbox.ts'
import { Button, Icon } from '../parts/basics.tsx'
import { memo } from '../parts/memo.ts'
import { useConnection } from '../parts/query.tsx'
import { attempt, isAdmin, isSignedIn, type Refusable, request, user } from '../session.ts'
import { CommentHead, CommentText, isReadable, linkToComment, type Mark, nameAuthor } from './comment-content.tsx'
import { loadMarkdown, readCommentDraft } from './comment-draft.ts'
import { useOpenForm } from './open-forms.ts'
import { ReportDialog } from './report-dialog.tsx'
import { EditForm } from './written-forms.tsx'

interface CommentItemProps {
  comment: Comment
  live: LiveDiscussion
  /** Present for the first comment of a thread only. */
  isThreadOpen?: boolean
  onToggleThread?(): void
  onReply(comment: Comment): void
  mark?: Mark | undefined
  /** False in a view that has other buttons to hide and delete. */
  isModerated?: boolean
}

const LOOKS: Record<Mark, string> = { linked: 'linked', reported: 'reported warn' }

async function copyLink(comment: Comment): Promise<void> {
  const { href } = new URL(linkToComment(comment), location.href)
  try {
    await navigator.clipboard.writeText(href)
    notify('Link copied')
  } catch {
    // Browsers refuse the clipboard to a page without https, and when the reader forbids it.
    notifyError(new Error(`The browser does not let this page copy. The link is ${href}`))
  }
}

const QuietButton = (props: ComponentProps<typeof Button>) => <Button class="quiet small" {...props} />

export const CommentItem = memo(function CommentItem(props: CommentItemProps) {
  const { comment, live, isThreadOpen = false, onToggleThread, onReply, mark, isModerated = true } = props
  const { _id, status, isLiked, isReported, likesCount, repliesCount } = comment
  const [isVisible, isHidden] = [status === 'visible', status === 'hidden']
  const isEditable = isVisible || comment.isHeld === true
  const about = `edit-${_id}`
  const editing = useOpenForm(`edit/${_id}`)
  const isEditing = editing.form !== undefined
  const [isBusy, setBusy] = useState(false)
  const [isReporting, setReporting] = useState(false)
  const isDeleted = useActedOn(`comment/${_id}`)
  const isAuthor = user.value !== null && user.value?.userId === comment.userId

  const isWaiting = isAuthor && comment.isHeld === true
  useConnection(
    isWaiting ? '/notifications' : null,
    (socket) => {
      // No event says that a moderator removed what nobody else has seen.
      socket.on('notification:new', ({ notification: { payload } }) => {
        if (payload.commentId === _id) live.refresh()
      })
    },
    [live],
  )

  useEffect(() => {
    if (isAuthor && readCommentDraft(about) !== undefined) editing.open({ about, comment, isFocused: false })
  }, [isAuthor])

  useLayoutEffect(() => {
    if (isEditable && editing.form && editing.form.comment !== comment) editing.update(comment)
  }, [comment, editing.form])

  async function begin() {
    try {
      await loadMarkdown()
      editing.open({ about, comment, isFocused: true })
    } catch {
      notifyError(new Error('The editor could not be loaded. Try again'))
    }
  }

  async function change(call: () => Refusable<unknown, number>) {
    if (!isSignedIn() || isBusy) return
    setBusy(true)
    await attempt(call())
    setBusy(false)
  }

  function remove() {
    if (!isSignedIn()) return
    hold({
      key: `comment/${_id}`,
      what: 'Delete a comment',
      about: `by ${nameAuthor(comment)}`,
      address: linkToComment(comment),
      send: () => request(live.remove(_id)),
    })
  }

  const thread = onToggleThread && (repliesCount > 0 || comment.hasHeldReplies || isThreadOpen) && (
    <button
      type="button"
      class="quiet small"
      aria-expanded={isThreadOpen}
      aria-label={formatCount(repliesCount, 'reply', 'replies')}
      onClick={onToggleThread}
    >
      <Icon name="chevron" />
      <Icon name="chat" />
      {formatNumber(repliesCount)}
    </button>
  )

  const frame = {
    class: `stack tight comment ${mark ? LOOKS[mark] : ''}`,
    'aria-current': mark === 'linked' ? ('true' as const) : undefined,
  }
  if (isDeleted && repliesCount === 0) return null
  if (isDeleted || !isReadable(comment)) {
    return (
      <article {...frame} aria-label="Comment removed">
        <p class="muted">Comment removed</p>
        {editing.form && <EditForm form={editing.form} live={live} />}
        <div class="row comment-actions">{thread}</div>
      </article>
    )
  }

  return (
    <article
      {...frame}
      aria-label={`${mark === 'reported' ? 'Reported comment' : 'Comment'} by ${nameAuthor(comment)}`}
    >
      <CommentHead comment={comment} />
      {editing.form ? (
        <EditForm form={editing.form} live={live} />
      ) : (
        <CommentText comment={comment} isOpen={mark === 'reported'} />
      )}
      {!isEditing && (
        <div class="row comment-actions">
          <button
            type="button"
            class="quiet small like"
            aria-pressed={isLiked}
            disabled={isAuthor || !isVisible}
            onClick={() => change(() => (isLiked ? live.unlike(_id) : live.like(_id)))}
          >
            <Icon name="heart" />
            <span class="hidden">Like </span>
            {formatNumber(likesCount)}
          </button>
          {isVisible && <QuietButton onClick={() => isSignedIn() && onReply(comment)} text="Reply" />}
          {thread}
          <QuietButton onClick={() => copyLink(comment)} text="Copy link" />
          <span class="fill" />
          {isAuthor && isEditable && <QuietButton onClick={begin} text="Edit" />}
          {isAdmin.value && isModerated && (
            <QuietButton
              onClick={() => change(() => live.setStatus(_id, isHidden ? 'visible' : 'hidden', comment.updatedAt))}
              text={isHidden ? 'Show' : 'Hide'}
            />
          )}
          {(isAuthor || isAdmin.value) && isModerated && <QuietButton onClick={remove} text="Delete" />}
          {!isAuthor && isVisible && (
            <QuietButton
              disabled={isReported}
              onClick={() => isSignedIn() && setReporting(true)}
              text={isReported ? 'Reported' : 'Report'}
            />
          )}
        </div>
      )}
      {isReporting && <ReportDialog comment={comment} live={live} onClose={() => setReporting(false)} />}
    </article>
  )
})
