import type { ComponentChildren } from 'preact'
import type { ReportedComment } from '../../contract/reports.ts'
import { formatNumber } from '../format.ts'
import { Badge, Time } from '../parts/basics.tsx'
import { linkTo } from '../route.ts'
import { nameReason, REPORT_REASONS } from './report-reasons.ts'

const UserLink = ({ user }: { user: { _id: string; userName: string } | null }) =>
  user ? <a href={linkTo('users', user._id)}>{user.userName}</a> : <>a deleted user</>

/** `Spam 2`, `Abuse 1`, and the number of reports without a reason. */
function ReasonBadges({ reasons, count }: ReportedComment) {
  const without = REPORT_REASONS.reduce((rest, { value }) => rest - (reasons[value] ?? 0), count)
  return (
    <>
      {REPORT_REASONS.map(({ value, name }) => {
        const number = reasons[value]
        return number && <Badge key={value} name={`${name} ${formatNumber(number)}`} look="bad" />
      })}
      {without > 0 && <Badge name={`No reason ${formatNumber(without)}`} look="bad" />}
    </>
  )
}

/** Where the comment stands, why and when it was reported, and its author with the record in numbers. */
export function ReportFacts({ report, children }: { report: ReportedComment; children: ComponentChildren }) {
  const { comment, thread, record, count, firstAt, lastAt } = report
  const { actedOn, kept } = record.reports
  return (
    <>
      <div class="row">
        <h2 class="fill">{children}</h2>
        <ReasonBadges {...report} />
        <a href={linkTo('games', thread?.slug ?? comment.gameId, 'comments', comment._id)}>Open in the discussion</a>
      </div>
      <p class="facts">
        {comment.author ? <UserLink user={comment.author} /> : 'The author'} has {formatNumber(record.visible)} visible
        comments, {formatNumber(record.hidden)} hidden, {formatNumber(record.deleted)} deleted; reports:{' '}
        {formatNumber(actedOn)} acted on, {formatNumber(kept)} kept. {count === 0 ? 'Posted' : 'Reported first'}{' '}
        <Time at={firstAt} />
        {count > 1 && (
          <>
            , last <Time at={lastAt} />
          </>
        )}
      </p>
    </>
  )
}

/** The newest reports, each with its reporter and note. */
export const NewestReports = ({ newest }: ReportedComment) => (
  <ul class="stack tight" aria-label="Newest reports">
    {newest.map(({ reporter, reason, note, at }) => (
      <li key={`${reporter?._id} ${at}`}>
        <span class="facts">
          <UserLink user={reporter} />, <Time at={at} />
          {reason && `: ${nameReason(reason)}`}
        </span>
        {note && <p dir="auto">{note}</p>}
      </li>
    ))}
  </ul>
)

/** What became of the reports. */
export const Resolution = ({ resolution }: ReportedComment) =>
  resolution && (
    <p>
      <Badge {...(resolution.outcome === 'kept' ? { name: 'Kept' } : { name: 'Acted on', look: 'warn' })} />{' '}
      {resolution.by && (
        <>
          by <UserLink user={resolution.by} />,{' '}
        </>
      )}
      <Time at={resolution.at} />
      {resolution.reason && (
        <>
          : <q dir="auto">{resolution.reason}</q>
        </>
      )}
    </p>
  )
