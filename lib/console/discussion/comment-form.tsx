import type { ComponentType } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import { dropDraft, keepDraft, readDraft } from '../drafts.ts'
import { Checkbox } from '../fields/checkbox.tsx'
import type { ApiError, Settled } from '../hall.ts'
import { useNow } from '../hooks/use-now.ts'
import { Busy } from '../parts/busy.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { submitTo } from '../parts/form.tsx'
import { Refusal } from '../parts/problem.tsx'
import { Tabs } from '../parts/tabs.tsx'

interface Selection {
  text: string
  start: number
  end: number
}

const AROUND = { bold: '**', italic: '*', code: '`' }
const BEFORE = { quote: '> ', list: '- ' }
const LINK = /^https?:\/\/\S+$/i

type Markup = keyof typeof AROUND | keyof typeof BEFORE | 'link'

const isAround = (markup: Markup): markup is keyof typeof AROUND => markup in AROUND
const isBefore = (markup: Markup): markup is keyof typeof BEFORE => markup in BEFORE

function addMarkup(markup: Markup, { text, start, end }: Selection): Selection {
  const replace = (from: number, to: number, by: string) => text.slice(0, from) + by + text.slice(to)
  if (isBefore(markup)) {
    const from = text.lastIndexOf('\n', start - 1) + 1
    const marked = text.slice(from, end).replace(/^/gm, BEFORE[markup])
    return { text: replace(from, end, marked), start: start + BEFORE[markup].length, end: from + marked.length }
  }
  // Markdown ignores a mark next to a space.
  const chosen = text.slice(start, end)
  const inside = chosen.trim()
  const from = start + chosen.length - chosen.trimStart().length
  const to = from + inside.length
  if (isAround(markup)) {
    const mark = AROUND[markup]
    const at = from + mark.length
    return { text: replace(from, to, mark + inside + mark), start: at, end: at + inside.length }
  }
  const [words, address] = LINK.test(inside) ? ['', inside] : [inside, 'https://']
  const at = words === '' ? from + 1 : from + words.length + 3 + address.length
  return { text: replace(from, to, `[${words}](${address})`), start: at, end: at }
}

interface CommentDraft {
  text: string
  isSpoiler: boolean
}

export function readCommentDraft(about: string): CommentDraft | undefined {
  const stored = readDraft(about)
  if (stored === undefined || !('text' in stored) || typeof stored.text !== 'string') return undefined
  return { text: stored.text, isSpoiler: 'isSpoiler' in stored && stored.isSpoiler === true }
}

interface CommentFormProps {
  label: string
  action: string
  about: string
  isFocused?: boolean
  /** The stored markup of an edited comment; sent again unchanged where the text was not edited. */
  stored?: string
  /** Answers undefined where nothing was sent, because nobody is signed in. */
  send(input: { body: string; isSpoiler: boolean }): Promise<Settled<unknown, number> | undefined>
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

/** The Markdown library is loaded when somebody begins to write. */
const loadMarkdown = () => import('./markdown.ts')

const EMPTY: CommentDraft = { text: '', isSpoiler: false }
const LIMITED = 429
const FALLBACK_WAIT_S = 10

/** The form that writes or edits a comment. It keeps the text until the service has stored it. */
export function CommentForm(props: CommentFormProps) {
  const { label, action, about, isFocused = false, stored, send, onSent, onClose } = props
  const [draft, setDraft] = useState(() => readCommentDraft(about) ?? EMPTY)
  const typed = useRef(draft)
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [tab, setTab] = useState<'write' | 'preview'>('write')
  const [Preview, setPreview] = useState<ComponentType<{ typed: string }>>()
  const [until, setUntil] = useState(0)
  useNow(250, until > Date.now())
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1_000))
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
    keepDraft(about, next)
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
    dropDraft(about)
    onClose?.()
  }

  async function submit() {
    if (isBusy || left > 0 || typed.current.text.trim() === '') return
    // A disabled button would lose the focus to the body.
    field.current?.focus()
    setBusy(true)
    // The state dates from the last drawing, and Ctrl+Enter may follow a letter before the next.
    const sent = typed.current
    const markdown = await loadMarkdown().catch(refuseLoading)
    const answer = markdown && (await send({ body: markdown.toBody(sent.text, stored), isSpoiler: sent.isSpoiler }))
    setBusy(false)
    if (answer === undefined) return
    if (!answer.ok) return refuse(answer.error)
    setRefusal(undefined)
    // The text may have been edited while the answer was awaited.
    if (typed.current !== sent) return
    typed.current = EMPTY
    setDraft(EMPTY)
    dropDraft(about)
    setTab('write')
    onSent?.()
    onClose?.()
  }

  return (
    <form class="stack tight comment-form" aria-label={label} onSubmit={submitTo(submit)}>
      <Tabs label={`${label}: text`} tabs={TABS} selected={tab} onSelect={(next) => void open(next)}>
        {tab === 'preview' ? (
          <div class="comment-preview">{Preview ? <Preview typed={draft.text} /> : <Busy />}</div>
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
              value={draft.text}
              onFocus={() => void loadMarkdown().catch(() => undefined)}
              onInput={(event) => change({ ...draft, text: event.currentTarget.value })}
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
        <Checkbox label="Spoiler" checked={draft.isSpoiler} onChange={(isSpoiler) => change({ ...draft, isSpoiler })} />
        <div class="row send">
          {onClose && <Button class="quiet" onClick={cancel} text="Cancel" />}
          <button type="submit" class="primary" disabled={isBusy || left > 0 || draft.text.trim() === ''}>
            {action}
          </button>
        </div>
      </div>
      <Refusal text={refusal} />
      {left > 0 && <p class="hint">Try again in {left} s</p>}
    </form>
  )
}
