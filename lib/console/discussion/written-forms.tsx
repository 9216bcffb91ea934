import { useEffect } from 'preact/hooks'
import type { LiveDiscussion } from '../../client/live-discussion.ts'
import { useLive } from '../parts/query.tsx'
import { hall } from '../session.ts'
import { loadMarkdown, markdown, readCommentDraft } from './comment-draft.ts'
import { CommentForm } from './comment-form.tsx'
import { closeForm, type OpenForm, strayForms } from './open-forms.ts'

interface FormProps {
  form: OpenForm
  live: LiveDiscussion
  onSent?(): void
}

export const ReplyForm = ({ form: { about, slot, comment, isFocused, isRemoved }, live, onSent }: FormProps) => (
  <>
    <p class="muted">Answering {comment.author?.userName}</p>
    <CommentForm
      live={live}
      gameId={comment.gameId}
      label="Write a reply"
      action="Post reply"
      isFocused={isFocused}
      about={about}
      answered={comment}
      obstacle={isRemoved ? 'This cannot be sent: the comment that you answer was hidden or deleted' : undefined}
      onSent={onSent}
      onClose={() => closeForm(slot)}
    />
  </>
)

export function EditForm({ form: { about, slot, comment, isFocused, isRemoved }, live }: FormProps) {
  const { _id, gameId, body, isSpoiler } = comment
  useEffect(() => void loadMarkdown().catch(() => undefined), [])
  // Until the library is loaded, a draft of an earlier visit shows the text that it began from.
  const text = markdown.value?.toTyped(body) ?? readCommentDraft(about)?.from ?? ''
  return (
    <CommentForm
      live={live}
      gameId={gameId}
      label="Edit the comment"
      action="Save"
      isFocused={isFocused}
      about={about}
      edited={{ _id, content: { text, isSpoiler } }}
      obstacle={isRemoved ? 'This cannot be saved: your comment was hidden or deleted' : undefined}
      onClose={() => closeForm(slot)}
    />
  )
}

function StrayForm({ form }: { form: OpenForm }) {
  const { comment, slot } = form
  const { live } = useLive(() => hall.discussion(comment.gameId), [comment.gameId])
  return (
    <div class="stack tight">
      {slot.startsWith('edit/') ? <EditForm form={form} live={live} /> : <ReplyForm form={form} live={live} />}
    </div>
  )
}

export const StrayForms = () => (
  <>
    {strayForms.value.map((form) => (
      <StrayForm key={form.slot} form={form} />
    ))}
  </>
)
