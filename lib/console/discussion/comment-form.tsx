import type { ComponentType } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import { Checkbox } from '../fields/field.tsx'
import { type ApiError, type Settled, settle } from '../hall.ts'
import { useNow } from '../hooks/use-now.ts'
import { Busy, Button, IconButton, Refusal } from '../parts/basics.tsx'
import { submitTo } from '../parts/form.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { addMarkup, type Markup } from './add-markup.ts'
import { type Content, loadMarkdown, useCommentDraft } from './comment-draft.ts'
import { toFormId } from './open-forms.ts'

/** Finds a comment that was stored although its answer was lost. */
export interface SentSearch {
  /** The time of the newest comment that is shown. */
  newest(): string
  find(sent: { body: string; since: string }): Promise<boolean>
}

interface CommentFormProps {
  label: string
  action: string
  about: string
  isFocused?: boolean
  /** The content of an edited comment, as it stands now. */
  content?: Content
  /** The reason why this text can no longer be sent. */
  obstacle?: string | undefined
  /** Sends the changed fields. Answers undefined when nothing was sent, because nobody is signed in. */
  send(changes: { body?: string; isSpoiler?: boolean }): Promise<Settled<unknown, number> | undefined>
  /** Present when sending twice would store twice. */
  search?: SentSearch
  onSent?(): void
  /** Closes the form; the draft of one that was neither sent nor cancelled is kept. */
  onClose?(): void
}

const MARKUPS = ['bold', 'italic', 'link', 'quote', 'list', 'code'] as const

const TABS = [
  { value: 'write', name: 'Write' },
  { value: 'preview', name: 'Preview' },
] as const

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

const EMPTY: Content = { text: '', isSpoiler: false }
const ARRIVED = 'Your text had arrived, without what you changed since. Send again to store this as another comment'
const LIMITED = 429
const FALLBACK_WAIT_S = 10

/** The form that writes or edits a comment. It keeps the text until the service has stored it. */
export function CommentForm(props: CommentFormProps) {
  const { label, action, about, isFocused = false, content = EMPTY, obstacle, send, search, onSent, onClose } = props
  const { text, isSpoiler, isChangedElsewhere, typed, ...draft } = useCommentDraft(about, content)
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [tab, setTab] = useState<'write' | 'preview'>('write')
  const [Preview, setPreview] = useState<ComponentType<{ typed: string }>>()
  const [until, setUntil] = useState(0)
  useNow(250, until > Date.now())
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1_000))
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()

  // A layout effect runs before the next key can be pressed.
  useLayoutEffect(() => {
    if (isFocused) field.current?.focus()
  }, [])

  function change(changes: Partial<Content>) {
    setRefusal(undefined)
    draft.change(changes)
  }

  function mark(markup: Markup) {
    const area = field.current
    if (area === null) return
    const marked = addMarkup(markup, { text, start: area.selectionStart, end: area.selectionEnd })
    change({ text: marked.text })
    requestAnimationFrame(() => {
      area.focus()
      area.setSelectionRange(marked.start, marked.end)
    })
  }

  function refuse(error: ApiError) {
    setRefusal(describeError(error))
    if (error.status === LIMITED) setUntil(Date.now() + 1_000 * (error.retryAfter ?? FALLBACK_WAIT_S))
  }

  async function open(next: 'write' | 'preview') {
    setTab(next)
    if (next === 'write') return
    const preview = await import('./preview.tsx').catch(refuseLoading)
    if (preview) setPreview(() => preview.Preview)
  }

  function refuseLoading() {
    setRefusal('The editor could not be loaded. Check the connection, then try again')
    return undefined
  }

  function cancel() {
    draft.clear()
    onClose?.()
  }

  function finish() {
    draft.clear()
    setRefusal(undefined)
    setTab('write')
    onSent?.()
    onClose?.()
  }

  /** Answers false when the draft was sent before and is stored, or when that could not be read. */
  async function isUnsent(body: string): Promise<boolean> {
    const { sent } = typed.current
    if (search === undefined || sent === undefined) return true
    const found = await settle(search.find(sent))
    if (!found.ok) refuse(found.error)
    else if (!found.value) return true
    else if (sent.body === body) finish()
    else {
      draft.recordSent(undefined)
      setRefusal(ARRIVED)
    }
    return false
  }

  async function sendChanges() {
    const markdown = await loadMarkdown().catch(refuseLoading)
    if (markdown === undefined) return
    // The state is as old as the last drawing, and Ctrl+Enter may follow a letter before the next one.
    const { text, isSpoiler, from } = typed.current
    const body = text === undefined || text.trim() === from ? undefined : markdown.toHtml(text)
    if (body === undefined && isSpoiler === undefined) return finish()
    if (body !== undefined && !(await isUnsent(body))) return

    if (search && body !== undefined) draft.recordSent({ body, since: search.newest() })
    const answer = await send({ ...(body !== undefined && { body }), ...(isSpoiler !== undefined && { isSpoiler }) })
    if (answer && !answer.ok && answer.error.mayHaveArrived) return refuse(answer.error)
    draft.recordSent(undefined)
    if (answer === undefined) return
    if (!answer.ok) return refuse(answer.error)
    // The text may have been edited while the answer was awaited.
    if (typed.current.text === text && typed.current.isSpoiler === isSpoiler) finish()
  }

  const isBlocked = (written: string) => isBusy || left > 0 || obstacle !== undefined || written.trim() === ''

  async function submit() {
    if (isBlocked(typed.current.text ?? content.text)) return
    // A disabled button would lose the focus to the body.
    field.current?.focus()
    setBusy(true)
    await sendChanges().finally(() => setBusy(false))
  }

  return (
    <form id={toFormId(about)} class="stack tight comment-form" aria-label={label} onSubmit={submitTo(submit)}>
      <Tabs label={`${label}: text`} tabs={TABS} selected={tab} onSelect={(next) => void open(next)}>
        {tab === 'preview' ? (
          <div class="comment-preview">{Preview ? <Preview typed={text} /> : <Busy />}</div>
        ) : (
          <>
            <label class="hidden" for={id}>
              {label}
            </label>
            <textarea
              id={id}
              ref={field}
              rows={3}
              placeholder={label}
              dir="auto"
              value={text}
              onFocus={() => loadMarkdown().catch(() => undefined)}
              onInput={(event) => change({ text: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
                if (event.key === 'Escape') onClose?.()
              }}
            />
          </>
        )}
      </Tabs>
      <div class="row">
        <div class="row formatting">
          {MARKUPS.map((markup) => (
            <IconButton
              key={markup}
              icon={markup}
              label={capitalize(markup)}
              title={capitalize(markup)}
              disabled={tab === 'preview'}
              onClick={() => mark(markup)}
            />
          ))}
        </div>
        <Checkbox label="Spoiler" checked={isSpoiler} onChange={(isSpoiler) => change({ isSpoiler })} />
        <div class="row send">
          {onClose && <Button class="quiet" onClick={cancel} text="Cancel" />}
          <button type="submit" class="primary" disabled={isBlocked(text)}>
            {action}
          </button>
        </div>
      </div>
      {isChangedElsewhere && (
        <p role="status" class="hint">
          This comment was changed elsewhere since you began. {action} replaces that text, Cancel keeps it.
        </p>
      )}
      <Refusal text={obstacle ?? refusal} />
      {left > 0 && <p class="hint">Try again in {left} s</p>}
    </form>
  )
}
