import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { DiscussionState, LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import { request } from '../call-service.ts'
import { Busy } from '../parts/busy.tsx'
import { Button } from '../parts/button.tsx'
import { memo } from '../parts/memo.ts'
import { isSignedIn } from '../session.ts'
import type { Mark } from './comment-content.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'

interface ThreadProps {
  first: Comment
  live: LiveDiscussion
  replies: DiscussionState['replies'][string] | undefined
  /** The comment for whose sake the thread is shown. */
  markedId?: string
  mark?: Mark
}

export const Thread = memo(function Thread({ first, live, replies, markedId, mark }: ThreadProps) {
  const [answered, setAnswered] = useState<Comment>()
  const item = useRef<HTMLLIElement>(null)
  const wasAnswering = useRef(false)
  const isOpen = replies !== undefined

  useEffect(() => {
    const buttons = [...(item.current?.querySelectorAll('button') ?? [])]
    if (wasAnswering.current && answered === undefined)
      buttons.find(({ textContent }) => textContent === 'Reply')?.focus()
    wasAnswering.current = answered !== undefined
  }, [answered])

  const toggle = useCallback(
    () => (isOpen ? live.closeReplies(first._id) : live.openReplies(first._id)),
    [isOpen, live, first._id],
  )

  const draw = (comment: Comment) => ({
    comment,
    live,
    onReply: setAnswered,
    mark: comment._id === markedId ? mark : undefined,
    isModerated: mark !== 'reported',
  })

  return (
    <li ref={item}>
      <CommentItem {...draw(first)} isThreadOpen={isOpen} onToggleThread={toggle} />
      {isOpen && (
        <div class="stack tight replies">
          <ul class="comments" aria-label="Replies">
            {replies.comments.map((reply) => (
              <li key={reply._id}>
                <CommentItem {...draw(reply)} />
              </li>
            ))}
          </ul>
          {replies.comments.length === 0 && first.repliesCount > 0 && <Busy />}
          {replies.hasMore && <Button class="small" onClick={() => live.moreReplies(first._id)} text="More replies" />}
        </div>
      )}
      {answered && (
        <div class="stack tight replies">
          <p class="muted">Answering {answered.author?.userName}</p>
          <CommentForm
            key={answered._id}
            label="Write a reply"
            action="Post reply"
            isFocused
            about={answered._id}
            send={async (input) =>
              isSignedIn() ? await request(live.post({ parentId: answered._id, ...input })) : undefined
            }
            onSent={() => {
              if (!isOpen) live.openReplies(first._id)
            }}
            onClose={() => setAnswered(undefined)}
          />
        </div>
      )}
    </li>
  )
})
