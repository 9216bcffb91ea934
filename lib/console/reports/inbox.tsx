import type { ComponentProps } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ReportedComment } from '../../contract/reports.ts'
import { SuspendDialog } from '../frame/suspend-dialog.tsx'
import { useReviewKeys } from '../hooks/use-page-keys.ts'
import { Busy, Empty } from '../parts/basics.tsx'
import { isSignedIn } from '../session.ts'
import { holdReportDecision, isReportDecidedHere, type ReportAction, ReportedItem, toItemId } from './reported-item.tsx'

/** Comments are shown without the open thread after this time; a late thread then moves the comments below it. */
const THREAD_WAIT_MS = 500

/** The ids of all rows so far in the order of their arrival, so that a new row moves no other. */
function useArrivals(rows: readonly ReportedComment[]): readonly string[] {
  const ids = useRef<readonly string[]>([])
  ids.current = [...new Set([...ids.current, ...rows.map(({ comment }) => comment._id)])]
  return ids.current
}

type Suspension = Omit<ComponentProps<typeof SuspendDialog>, 'onClose'>

interface InboxProps {
  rows: readonly ReportedComment[]
  empty: string
}

/** Reported comments that are decided by keyboard: one is open, and a decision opens the next. */
export function Inbox({ rows, empty }: InboxProps) {
  const ids = useArrivals(rows)
  const waiting = new Map(rows.flatMap((row) => (isReportDecidedHere(row) ? [] : [[row.comment._id, row]])))
  const shown = ids.flatMap((id) => waiting.get(id) ?? [])
  const [openId = shown[0]?.comment._id, setOpenId] = useState<string>()
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({})
  const [suspending, setSuspending] = useState<Suspension>()
  const [isDrawn, setDrawn] = useState(false)
  const mustFocus = useRef(false)

  useEffect(() => {
    const timer = setTimeout(setDrawn, THREAD_WAIT_MS, true)
    return () => clearTimeout(timer)
  }, [])
  // The next key must not decide another report when the row of the open one leaves. A layout effect runs before that key.
  useLayoutEffect(() => setOpenId(openId), [openId])
  useLayoutEffect(() => {
    if (mustFocus.current) document.getElementById(toItemId(openId ?? ''))?.focus()
    mustFocus.current = false
  }, [openId])

  function findNeighbour(by: 1 | -1): string | undefined {
    const place = ids.indexOf(openId ?? '')
    const others = by === 1 ? ids.slice(place + 1) : ids.slice(0, Math.max(0, place)).toReversed()
    return others.find((id) => waiting.has(id))
  }
  function moveTo(id: string | undefined) {
    mustFocus.current = true
    setOpenId(id)
  }
  function decide(report: ReportedComment, action: ReportAction) {
    if (!isSignedIn()) return
    const id = report.comment._id
    if (id === openId) moveTo(findNeighbour(1) ?? findNeighbour(-1))
    const reason = reasons[id]?.trim()
    // The version is checked for `keep` alone, because an author must not escape another decision by an edit.
    const seen = action === 'keep' && report.comment.isHeld && { updatedAt: report.comment.updatedAt }
    holdReportDecision(report, { action, ...(reason && { reason }), ...seen }, () => moveTo(id))
  }
  useReviewKeys((key) => {
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
    const id = findNeighbour(key === 'ArrowDown' ? 1 : -1)
    return id === undefined ? undefined : () => moveTo(id)
  })

  const nextId = findNeighbour(1)
  return (
    <>
      {suspending && <SuspendDialog {...suspending} onClose={() => setSuspending(undefined)} />}
      {shown.length === 0 ? <Empty title={empty} /> : !isDrawn && <Busy />}
      <ul class="stack" aria-label="Reported comments" hidden={!isDrawn}>
        {shown.map((report) => {
          const { _id: id, author } = report.comment
          return (
            <ReportedItem
              key={id}
              report={report}
              isOpen={id === openId}
              isNext={id === nextId}
              reason={reasons[id] ?? ''}
              onReason={(reason) => setReasons({ ...reasons, [id]: reason })}
              onDecide={(action) => decide(report, action)}
              onSuspend={author ? () => setSuspending({ user: author, reason: reasons[id] ?? '' }) : undefined}
              onOpen={() => setOpenId(id)}
              onRead={() => setDrawn(true)}
            />
          )
        })}
      </ul>
    </>
  )
}
