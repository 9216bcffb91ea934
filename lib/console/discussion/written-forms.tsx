import { useEffect } from 'preact/hooks'
import type { LiveDiscussion } from '../../client/live-discussion.ts'
import { hall } from '../hall.ts'
import { useLive } from '../hooks/use-live.ts'
import { isSignedIn, request } from '../session.ts'
import { loadMarkdown, markdown, readCommentDraft } from './comment-draft.ts'
import { CommentForm } from './comment-form.tsx'
import { searchSent } from './find-sent.ts'
import { closeForm, type OpenForm, strayForms } from './open-forms.ts'

interface FormProps {
  form: OpenForm
  live: LiveDiscussion
  onSent?(): void
}

export function ReplyForm({ form, live, onSent }: FormProps) {
  const { about, slot, comment, isFocused, isRemoved } = form
  const { _id: parentId, gameId, author } = comment
  return (
    <>
      <p class="muted">Answering {author?.userName}</p>
      <CommentForm
        label="Write a reply"
        action="Post reply"
        isFocused={isFocused}
        about={about}
        obstacle={isRemoved ? 'This cannot be sent: the comment that you answer was hidden or deleted' : undefined}
        send={async ({ body = '', ...changes }) =>
          isSignedIn() ? await request(live.post({ parentId, body, ...changes })) : undefined
        }
        search={searchSent(live, gameId, comment)}
        {...(onSent && { onSent })}
        onClose={() => closeForm(slot)}
      />
    </>
  )
}

export function EditForm({ form, live }: FormProps) {
  const { about, slot, comment, isFocused, isRemoved } = form
  useEffect(() => void loadMarkdown().catch(() => undefined), [])
  // Until the library is loaded, a draft of an earlier visit shows the text that it began from.
  const text = markdown.value?.toTyped(comment.body) ?? readCommentDraft(about)?.from ?? ''
  return (
    <CommentForm
      label="Edit the comment"
      action="Save"
      isFocused={isFocused}
      about={about}
      content={{ text, isSpoiler: comment.isSpoiler }}
      obstacle={isRemoved ? 'This cannot be saved: your comment was hidden or deleted' : undefined}
      send={async (changes) => (isSignedIn() ? await request(live.edit(comment._id, changes)) : undefined)}
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

/** The forms whose comment has left the list. */
export const StrayForms = () => (
  <>
    {strayForms.value.map((form) => (
      <StrayForm key={form.slot} form={form} />
    ))}
  </>
)
