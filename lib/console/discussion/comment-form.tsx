import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import type { ApiError, Settled } from '../hall.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { addMarkup, type Markup } from './comment-text.ts'
import type { CommentDraft } from './drafts.ts'
import { useCountdown } from './use-countdown.ts'

interface CommentFormProps {
  /** The name of the text field. */
  label: string
  /** The name of the button that sends. */
  action: string
  start: CommentDraft | undefined
  isFocused?: boolean
  onType?(draft: CommentDraft): void
  /** Undefined: nothing was sent, because nobody is signed in. */
  send(draft: CommentDraft): Promise<Settled<unknown, number> | undefined>
  onSent?(): void
  /** Closes the form and keeps its draft. */
  onClose?(): void
  /** Closes the form and drops its draft. */
  onCancel?(): void
}

const BUTTONS: readonly { markup: Markup; name: string; icon: IconName }[] = [
  { markup: 'bold', name: 'Bold', icon: 'bold' },
  { markup: 'italic', name: 'Italic', icon: 'italic' },
  { markup: 'link', name: 'Link', icon: 'link' },
  { markup: 'quote', name: 'Quote', icon: 'quote' },
]

const EMPTY: CommentDraft = { text: '', isSpoiler: false }
const LIMITED = 429
const FALLBACK_WAIT_S = 10

/** Where a comment is written or edited. What was typed stays until the service has taken it. */
export function CommentForm(props: CommentFormProps) {
  const { label, action, start, isFocused = false, onType, send, onSent, onClose, onCancel } = props
  const [draft, setDraft] = useState(start ?? EMPTY)
  const typed = useRef(draft)
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [left, countDown] = useCountdown()
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()

  // Before the next key can be pressed.
  useLayoutEffect(() => {
    if (isFocused) field.current?.focus()
  }, [])

  function change(next: CommentDraft) {
    typed.current = next
    setDraft(next)
    setRefusal(undefined)
    onType?.(next)
  }

  function mark(markup: Markup) {
    const area = field.current
    if (area === null) return
    const marked = addMarkup(markup, { text: draft.text, start: area.selectionStart, end: area.selectionEnd })
    change({ ...draft, text: marked.text })
    requestAnimationFrame(() => {
      area.focus()
      area.setSelectionRange(marked.start, marked.end)
    })
  }

  function refuse(error: ApiError) {
    setRefusal(describeError(error))
    if (error.status === LIMITED) countDown(error.retryAfter ?? FALLBACK_WAIT_S)
  }

  async function submit() {
    if (isBusy || left > 0) return
    // The button that is busy would lose the focus to the body.
    field.current?.focus()
    setBusy(true)
    // The state is as old as the last drawing, and Ctrl+Enter may follow a letter at once.
    const sent = typed.current
    const answer = await send(sent)
    setBusy(false)
    if (answer === undefined) return
    if (!answer.ok) return refuse(answer.error)
    setRefusal(undefined)
    // Typing goes on while the answer is awaited.
    if (typed.current !== sent) return
    typed.current = EMPTY
    setDraft(EMPTY)
    onSent?.()
  }

  return (
    <form
      class="comment-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <label class="hidden" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        placeholder={label}
        value={draft.text}
        onInput={(event) => change({ ...draft, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.isComposing) return
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
          if (event.key === 'Escape') onClose?.()
        }}
      />
      <div class="comment-tools">
        <div class="actions formatting">
          {BUTTONS.map(({ markup, name, icon }) => (
            <button
              key={markup}
              type="button"
              class="quiet icon-only"
              aria-label={name}
              title={name}
              onClick={() => mark(markup)}
            >
              <Icon name={icon} />
            </button>
          ))}
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isSpoiler}
            onChange={(event) => change({ ...draft, isSpoiler: event.currentTarget.checked })}
          />
          Spoiler
        </label>
        <div class="actions send">
          {onCancel && (
            <button type="button" class="quiet" onClick={onCancel}>
              Cancel
            </button>
          )}
          <button type="submit" class="primary" disabled={isBusy || left > 0 || draft.text.trim() === ''}>
            {action}
          </button>
        </div>
      </div>
      <Refusal text={refusal} />
      {left > 0 && <p class="hint countdown">Try again in {left} s</p>}
    </form>
  )
}
