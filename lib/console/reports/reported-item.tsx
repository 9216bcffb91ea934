import { useRef } from 'preact/hooks'
import type { ReportedComment } from '../../contract/reports.ts'
import { CommentHead, CommentText, isReadable, nameAuthor } from '../discussion/comment-content.tsx'
import { ThreadAround } from '../discussion/linked-comment.tsx'
import { Field } from '../fields/field.tsx'
import { useReviewKeys } from '../hooks/use-page-keys.ts'
import { Button } from '../parts/basics.tsx'
import { settings } from '../settings.ts'
import { NewestReports, ReportFacts, Resolution } from './report-facts.tsx'
import { ACTION_NAMES, nameThread, type ReportAction } from './report-words.ts'

const REASONS = settings.moderationReasons

// Object.keys answers strings; these are the keys of the type.
const ACTIONS = Object.keys(ACTION_NAMES) as readonly ReportAction[]

export const toItemId = (commentId: string) => `report-${commentId}`

interface DecidableProps {
  reason: string
  onReason(reason: string): void
  onDecide(action: ReportAction): void
  onSuspend?: (() => void) | undefined
}

/** The reason that the author reads, and the keys of the open report. */
function Reason({ reason, onReason, onDecide, onSuspend, onLeave }: DecidableProps & { onLeave(): void }) {
  const field = useRef<HTMLInputElement>(null)
  useReviewKeys((key) => {
    const chosen = REASONS[Number(key) - 1]
    if (chosen !== undefined) return () => onReason(chosen === reason ? '' : chosen)
    const pressed = key.toLowerCase()
    const action = ACTIONS.find((name) => name.at(0) === pressed)
    if (action) return () => onDecide(action)
    if (pressed === 's') return onSuspend
    return pressed === 'r' ? () => field.current?.focus() : undefined
  })

  return (
    <>
      <Field label="Reason, which the author reads">
        {(control) => (
          <input
            {...control}
            ref={field}
            type="text"
            value={reason}
            onInput={(event) => onReason(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === 'Escape') onLeave()
            }}
          />
        )}
      </Field>
      <div class="row">
        {REASONS.map((name, index) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={name === reason ? 'true' : 'false'}
            onClick={() => onReason(name === reason ? '' : name)}
          >
            {index < 9 && <kbd>{index + 1}</kbd>} {name}
          </button>
        ))}
      </div>
    </>
  )
}

interface ReportedItemProps extends DecidableProps {
  report: ReportedComment
  isOpen: boolean
  /** True when the thread is read ahead, because this item is opened next. */
  isNext: boolean
  onOpen(): void
  onRead(): void
}

/** A reported comment; the open one has its thread, the newest reports and the reason. */
export function ReportedItem({ report, isOpen, isNext, onOpen, onRead, ...decidable }: ReportedItemProps) {
  const { comment } = report
  const item = useRef<HTMLLIElement>(null)
  return (
    <li
      class="stack tight panel report"
      ref={item}
      id={toItemId(comment._id)}
      tabIndex={-1}
      aria-current={isOpen ? 'true' : undefined}
    >
      <ReportFacts report={report}>
        <button type="button" class="quiet" aria-expanded={isOpen ? 'true' : 'false'} onClick={onOpen}>
          {nameThread(report)}
        </button>
      </ReportFacts>
      {(isOpen || isNext) && (
        <div hidden={!isOpen}>
          <ThreadAround comment={comment} mark="reported" onRead={onRead} />
        </div>
      )}
      {isOpen ? <NewestReports {...report} /> : <ReportedText report={report} />}
      {isOpen && <Reason {...decidable} onLeave={() => item.current?.focus()} />}
      <div class="row">
        {ACTIONS.map((action) => (
          <Button
            key={action}
            class={action === 'delete' ? 'danger' : undefined}
            onClick={() => decidable.onDecide(action)}
            text={ACTION_NAMES[action]}
          />
        ))}
        {decidable.onSuspend && <Button onClick={decidable.onSuspend} text="Suspend …" />}
      </div>
    </li>
  )
}

const ReportedText = ({ report: { comment } }: { report: ReportedComment }) =>
  isReadable(comment) ? (
    <article class="stack tight" aria-label={`Reported comment by ${nameAuthor(comment)}`}>
      <CommentHead comment={comment} />
      <CommentText comment={comment} isOpen />
    </article>
  ) : (
    <p class="muted">Comment removed</p>
  )

/** A comment whose reports are decided. */
export const ResolvedItem = ({ report }: { report: ReportedComment }) => (
  <li class="stack tight panel report">
    <ReportFacts report={report}>{nameThread(report)}</ReportFacts>
    <ReportedText report={report} />
    <Resolution {...report} />
    <NewestReports {...report} />
  </li>
)
