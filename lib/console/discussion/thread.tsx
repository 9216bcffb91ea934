import { useCallback } from 'preact/hooks'
import type { DiscussionState, LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import { Busy, Button } from '../parts/basics.tsx'
import { memo } from '../parts/memo.ts'
import type { Mark } from './comment-content.tsx'
import { CommentItem } from './comment-item.tsx'
import { useOpenForm } from './open-forms.ts'
import { ReplyForm } from './written-forms.tsx'

interface ThreadProps {
  first: Comment
  live: LiveDiscussion
  replies: DiscussionState['replies'][string] | undefined
  markedId?: string
  mark?: Mark
}

export const Thread = memo(function Thread({ first, live, replies, markedId, mark }: ThreadProps) {
  const reply = useOpenForm(`reply/${first._id}`)
  const answered = reply.form
  const isOpen = replies !== undefined

  const toggle = useCallback(
    () => (isOpen ? live.closeReplies(first._id) : live.openReplies(first._id)),
    [isOpen, live, first._id],
  )

  const answer = useCallback(
    (comment: Comment) => reply.open({ about: comment._id, comment, isFocused: true }),
    [first._id],
  )

  const toItemProps = (comment: Comment) => ({
    comment,
    live,
    onReply: answer,
    mark: comment._id === markedId ? mark : undefined,
    isModerated: mark !== 'reported',
  })

  return (
    <li>
      <CommentItem {...toItemProps(first)} isThreadOpen={isOpen} onToggleThread={toggle} />
      {isOpen && (
        <div class="stack tight replies">
          <ul class="comments" aria-label="Replies">
            {replies.comments.map((reply) => (
              <li key={reply._id}>
                <CommentItem {...toItemProps(reply)} />
              </li>
            ))}
          </ul>
          {replies.comments.length === 0 && first.repliesCount > 0 && <Busy />}
          {replies.hasMore && <Button class="small" onClick={() => live.moreReplies(first._id)} text="More replies" />}
        </div>
      )}
      {answered && (
        <div class="stack tight replies">
          <ReplyForm
            key={answered.about}
            form={answered}
            live={live}
            onSent={() => {
              if (!isOpen) live.openReplies(first._id)
            }}
          />
        </div>
      )}
    </li>
  )
})
