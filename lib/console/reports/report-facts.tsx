import type { ReportedComment, ReportReason } from '../../contract/reports.ts'
import { formatCount, formatNumber } from '../format.ts'
import { Badge, PersonName, Time } from '../parts/basics.tsx'

export const REPORT_REASONS: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam',
  abuse: 'Abuse',
  spoiler: 'Spoiler',
  'off-topic': 'Off topic',
  other: 'Something else',
}
// Object.keys answers strings; these are the keys of the type.
export const REASONS = Object.keys(REPORT_REASONS) as readonly ReportReason[]

const UserLink = ({ user }: { user: { _id: string; userName: string } | null }) => (
  <PersonName id={user?._id} name={user?.userName} />
)

/** `Spam 2`, `Abuse 1` */
export const ReasonBadges = ({ reasons }: ReportedComment) =>
  REASONS.map((reason) => {
    const number = reasons[reason]
    return number && <Badge key={reason} name={`${REPORT_REASONS[reason]} ${formatNumber(number)}`} look="bad" />
  })

/** The author with the record in numbers, when the comment was reported, and what became of that. */
export function ReportFacts({ comment, record, count, firstAt, lastAt, resolution }: ReportedComment) {
  const { actedOn, kept } = record.reports
  const comments = `${formatCount(record.visible, 'visible comment')}, ${formatNumber(record.hidden)} hidden, ${formatNumber(record.deleted)} deleted`
  return (
    <>
      <p class="facts">
        {comment.author ? <UserLink user={comment.author} /> : 'The author'} has {comments}; reports:{' '}
        {formatNumber(actedOn)} acted on, {formatNumber(kept)} kept.{' '}
        {count > 0 && (
          <>
            Reported first <Time at={firstAt} />, last <Time at={lastAt} />.
          </>
        )}
      </p>
      {resolution && (
        <p>
          <Badge name={resolution.outcome === 'kept' ? 'Kept' : 'Acted on'} /> <Time at={resolution.at} />
          {resolution.by && (
            <>
              {' '}
              by <UserLink user={resolution.by} />
            </>
          )}{' '}
          {resolution.reason && <q dir="auto">{resolution.reason}</q>}
        </p>
      )}
    </>
  )
}

export const NewestReports = ({ newest }: ReportedComment) => (
  <ul class="stack tight" aria-label="Newest reports">
    {newest.map(({ reporter, reason, note, at }) => (
      <li key={`${reporter?._id} ${at}`}>
        <span class="facts">
          <UserLink user={reporter} />, <Time at={at} />
          {reason && `: ${REPORT_REASONS[reason]}`}
        </span>
        {note && <p dir="auto">{note}</p>}
      </li>
    ))}
  </ul>
)
