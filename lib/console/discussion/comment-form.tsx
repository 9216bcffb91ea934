import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import { describeError } from '../describe-error.ts'
import { Checkbox, submitTo } from '../fields/field.tsx'
import { useNow } from '../hooks/use-now.ts'
import { Busy, Button, IconButton, Refusal } from '../parts/basics.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { type ApiError, isSignedIn, request, settle } from '../session.ts'
import { addMarkup, type Markup } from './add-markup.ts'
import { type Content, loadMarkdown, markdown, type SentComment, useCommentDraft } from './comment-draft.ts'
import { draw } from './draw-markup.tsx'
import { findNewest, isStored } from './find-sent.ts'
import { parseMarkup } from './markup.ts'
import { toFormId } from './open-forms.ts'

interface CommentFormProps {
  live: LiveDiscussion
  gameId: string
  label: string
  action: string
  about: string
  isFocused?: boolean
  answered?: Comment
  edited?: { _id: string; content: Content }
  obstacle?: string | undefined
  onSent?: (() => void) | undefined
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
  const { live, gameId, label, action, about, isFocused = false, answered, edited, obstacle, onSent, onClose } = props
  const content = edited?.content ?? EMPTY
  const { text, isSpoiler, isChangedElsewhere, typed, ...draft } = useCommentDraft(about, content)
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [tab, setTab] = useState<'write' | 'preview'>('write')
  const [until, setUntil] = useState(0)
  useNow(250, until > Date.now())
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1_000))
  const field = useRef<HTMLTextAreaElement>(null)

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

  const loadEditor = () =>
    loadMarkdown().catch(() => {
      setRefusal('The editor could not be loaded. Check the connection, then try again')
      return undefined
    })

  function open(next: 'write' | 'preview') {
    setTab(next)
    if (next === 'preview') void loadEditor()
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
  async function isUnsent(body: string, sent: SentComment): Promise<boolean> {
    const found = await settle(isStored(sent, gameId, answered))
    if (!found.ok) refuse(found.error)
    else if (!found.value) return true
    else {
      live.showNew()
      if (sent.body === body) finish()
      else {
        draft.recordSent(undefined)
        setRefusal(ARRIVED)
      }
    }
    return false
  }

  async function sendChanges() {
    const editor = await loadEditor()
    if (editor === undefined) return
    // The state is as old as the last drawing, and Ctrl+Enter may follow a letter before the next one.
    const { text, isSpoiler, from, sent } = typed.current
    const body = text === undefined || text.trim() === from ? undefined : editor.toHtml(text)
    if (body === undefined && isSpoiler === undefined) return finish()
    if (body !== undefined && sent !== undefined && !(await isUnsent(body, sent))) return

    const changes = { ...(body !== undefined && { body }), ...(isSpoiler !== undefined && { isSpoiler }) }
    if (edited === undefined) draft.recordSent({ body: body ?? '', since: findNewest(live) })
    const answer = await request<unknown, number>(
      edited === undefined
        ? live.post({ parentId: answered?._id ?? null, body: '', ...changes })
        : live.edit(edited._id, changes),
    )
    if (answer.ok || !answer.error.mayHaveArrived) draft.recordSent(undefined)
    if (!answer.ok) return refuse(answer.error)
    // The text may have been edited while the answer was awaited.
    if (typed.current.text === text && typed.current.isSpoiler === isSpoiler) finish()
  }

  const isBlocked = (written: string) => isBusy || left > 0 || obstacle !== undefined || written.trim() === ''

  async function submit() {
    if (isBlocked(typed.current.text ?? content.text) || !isSignedIn()) return
    // A disabled button would lose the focus to the body.
    field.current?.focus()
    setBusy(true)
    await sendChanges().finally(() => setBusy(false))
  }

  return (
    <form id={toFormId(about)} class="stack tight comment-form" aria-label={label} onSubmit={submitTo(submit)}>
      <Tabs label={`${label}: text`} tabs={TABS} selected={tab} onSelect={open}>
        {tab === 'preview' ? (
          <div class="comment-preview comment-body" dir="auto">
            {markdown.value ? parseMarkup(markdown.value.toHtml(text)).map((node) => draw(node, 'shown')) : <Busy />}
          </div>
        ) : (
          <textarea
            ref={field}
            rows={3}
            aria-label={label}
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
        <div class="row end">
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
