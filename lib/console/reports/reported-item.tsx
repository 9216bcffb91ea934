import { useRef } from 'preact/hooks'
import type { CallInput } from '../../client/index.ts'
import type { ReportedComment } from '../../contract/reports.ts'
import { CommentHead, CommentText, isReadable, linkToComment, nameAuthor } from '../discussion/comment-content.tsx'
import { ThreadAround } from '../discussion/linked-comment.tsx'
import { submitTo, TextField } from '../fields/field.tsx'
import { useReviewKeys } from '../hooks/use-page-keys.ts'
import { hold, isActedOn } from '../outbox/outbox.ts'
import { Button } from '../parts/basics.tsx'
import { reload } from '../parts/query.tsx'
import { linkTo } from '../route.ts'
import { call } from '../session.ts'
import { settings } from '../settings.ts'
import { NewestReports, ReasonBadges, ReportFacts } from './report-facts.tsx'

type Body = CallInput<'POST /reports/:commentId/decision'>['body']
export type ReportAction = Body['action']

const ACTIONS = [
  { action: 'hide', name: 'Hide', key: 'h' },
  { action: 'keep', name: 'Keep', key: 'k' },
  { action: 'delete', name: 'Delete', key: 'd' },
] as const satisfies { action: ReportAction; name: string; key: string }[]

const toKey = ({ comment }: ReportedComment) => `report/${comment._id}`

export const isReportDecidedHere = (report: ReportedComment): boolean => isActedOn(toKey(report))

export function holdReportDecision(report: ReportedComment, body: Body, onUndo: () => void): void {
  const { comment, thread } = report
  hold({
    key: toKey(report),
    what: ACTIONS.find(({ action }) => action === body.action)?.name ?? '',
    about: `Comment by ${nameAuthor(comment)} in ${thread?.title ?? 'a game that left the catalogue'}`,
    address: linkToComment(comment),
    async send() {
      const params = { commentId: comment._id }
      const answer = await call('POST /reports/:commentId/decision', { params, body })
      await reload('GET /reports')
      return answer
    },
    onUndo,
  })
}

export const toItemId = (commentId: string) => `report-${commentId}`

interface DecidableProps {
  reason: string
  onReason(reason: string): void
  onDecide(action: ReportAction): void
  onSuspend?: (() => void) | undefined
}

/** The reason that the author reads, and the keys of the open report. Enter leaves the field, so that the keys work. */
function Reason({ reason, onReason, onDecide, onSuspend }: DecidableProps) {
  const form = useRef<HTMLFormElement>(null)
  const toggle = (name: string) => onReason(name === reason ? '' : name)
  useReviewKeys((key) => {
    const chosen = settings.moderationReasons[Number(key) - 1]
    if (chosen !== undefined) return () => toggle(chosen)
    const pressed = key.toLowerCase()
    if (pressed === 'r') return () => form.current?.querySelector('input')?.focus()
    if (pressed === 's') return onSuspend
    const decision = ACTIONS.find((other) => other.key === pressed)
    return decision && (() => onDecide(decision.action))
  })

  return (
    <form class="stack tight" ref={form} onSubmit={submitTo(() => form.current?.closest('li')?.focus())}>
      <TextField label="Reason, which the author reads" value={reason} onInput={onReason} />
      <div class="row">
        {settings.moderationReasons.map((name, index) => (
          <button key={name} type="button" class="small" aria-pressed={name === reason} onClick={() => toggle(name)}>
            {index < 9 && <kbd>{index + 1}</kbd>} {name}
          </button>
        ))}
      </div>
    </form>
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

export function ReportedItem({ report, isOpen, isNext, onOpen, onRead, ...decidable }: ReportedItemProps) {
  const { comment, thread } = report
  const isWaiting = report.resolution === null
  return (
    <li
      class="stack tight panel report"
      id={toItemId(comment._id)}
      tabIndex={-1}
      aria-current={isOpen ? 'true' : undefined}
    >
      <div class="row">
        <h2 class="fill">
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={onOpen}>
            {thread?.title ?? 'A game that left the catalogue'}
          </button>
        </h2>
        <ReasonBadges {...report} />
        <a href={linkTo('games', thread?.slug ?? comment.gameId, 'comments', comment._id)}>Open in the discussion</a>
      </div>
      <ReportFacts {...report} />
      {!isReadable(comment) && <p class="muted">Comment removed</p>}
      {isReadable(comment) && (isOpen || isNext) && (
        <div hidden={!isOpen}>
          {/* An edit of a comment that waits sends no event, so the thread is read again. */}
          <ThreadAround key={comment.updatedAt} comment={comment} mark="reported" onRead={onRead} />
        </div>
      )}
      {isReadable(comment) && !isOpen && (
        <article class="stack tight" aria-label={`Reported comment by ${nameAuthor(comment)}`}>
          <CommentHead comment={comment} />
          <CommentText comment={comment} isOpen />
        </article>
      )}
      {isOpen && <NewestReports {...report} />}
      {isOpen && isWaiting && <Reason {...decidable} />}
      {isWaiting && (
        <div class="row">
          {ACTIONS.map(({ action, name }) => (
            <Button
              key={action}
              class={action === 'delete' ? 'danger' : undefined}
              onClick={() => decidable.onDecide(action)}
              text={name}
            />
          ))}
          {decidable.onSuspend && <Button onClick={decidable.onSuspend} text="Suspend …" />}
        </div>
      )}
    </li>
  )
}
