import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReviewedRequest } from '../../contract/requests.ts'
import { Checkbox, TextArea } from '../fields/field.tsx'
import { formatCount } from '../format.ts'
import { notify } from '../notices.ts'
import { Alert, Badge, Button, Page, Time } from '../parts/basics.tsx'
import { Loaded, reload, useQuery } from '../parts/query.tsx'
import { AboutRequest } from '../requests/about-request.tsx'
import { ApprovalState } from '../requests/approval-state.tsx'
import { approvals, approve, dismissApproval, isUnderWay } from '../requests/approvals.ts'
import { type Change, describeWork, isChanging, useChanges } from '../requests/changes.ts'
import { ChangesTable } from '../requests/changes-table.tsx'
import { describeRequest, REQUEST_STATUS, readKind, toKindSuffix } from '../requests/describe-request.ts'
import { DuplicatesDialog } from '../requests/duplicates-dialog.tsx'
import { NextRequest } from '../requests/next-request.tsx'
import { linkTo, type ViewProps } from '../route.ts'
import { attempt, hall, isSignedIn } from '../session.ts'

const CLAIMED_EVERY_MS = 2_000
const EVERY_MS = 30_000

interface ProposedProps {
  request: ReviewedRequest
  changes: readonly Change[]
  picked: readonly Change[]
  disabled: boolean
  onPick(changes: readonly Change[]): void
}

/** The proposed fields; those that would change nothing are folded while the request waits. */
function Proposed({ request: { status }, changes, picked, disabled, onPick }: ProposedProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const differing = changes.filter(isChanging)
  const unchanged = changes.length - differing.length
  const mayFold = status === 'pending' && unchanged > 0
  const toggle = (change: Change) =>
    onPick(picked.includes(change) ? picked.filter((other) => other !== change) : [...picked, change])

  return (
    <section class="stack" aria-label="Proposed changes">
      <div class="row">
        <Button class="small" disabled={disabled} onClick={() => onPick(changes)} text="All" />
        <Button class="small" disabled={disabled} onClick={() => onPick([])} text="None" />
        <Button class="small" disabled={disabled} onClick={() => onPick(differing)} text="Only differing" />
      </div>
      <ChangesTable
        changes={mayFold && !isUnfolded ? differing : changes}
        picked={picked}
        disabled={disabled}
        onToggle={toggle}
      />
      {mayFold && (
        <div class="row">
          <Button
            class="small"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
            text={formatCount(unchanged, 'unchanged field')}
          />
        </div>
      )}
    </section>
  )
}

function Review({ request: proposal, onDecided }: { request: ReviewedRequest; onDecided(): Promise<void> }) {
  const { _id: id, kind, status, claimedAt } = proposal
  const changes = useChanges(proposal)
  const [applied, setApplied] = useState<ReadonlySet<string>>(() => new Set(Object.keys(proposal.payload)))
  const [isLocked, setLocked] = useState(false)
  const [reason, setReason] = useState('')
  const [isRejecting, setRejecting] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const approval = approvals.value[id]
  const isRunning = isUnderWay(approval)
  const mayDecide = status === 'pending' && claimedAt === null && !isRunning && !isRejecting
  const name = describeRequest(proposal)
  const picked = changes.filter(({ field }) => applied.has(field.key))
  const typed = reason.trim()
  const isUnsent = status !== 'pending' && typed !== '' && typed !== proposal.reason

  useEffect(() => {
    if (approval !== undefined && !isRunning) void onDecided()
  }, [approval?.status])

  function begin(force: boolean) {
    if (!isSignedIn()) return
    void approve(
      { id, name, what: describeWork(picked) },
      {
        fields: picked.map(({ field }) => field.key),
        force,
        ...(kind === 'game' && { lockSync: isLocked }),
        ...(typed !== '' && { reason: typed }),
      },
    )
  }

  async function reject() {
    if (!isSignedIn()) return
    setRejecting(true)
    const body = { decision: 'reject', reason: typed } as const
    const isRejected = await attempt(hall.call('POST /requests/:id/decision', { params: { id }, body }))
    setRejecting(false)
    if (isRejected) notify('The request is rejected. Its author reads the reason')
    await onDecided()
  }

  const pick = (which: readonly Change[]) => setApplied(new Set(which.map(({ field }) => field.key)))

  return (
    <>
      {!isRunning && proposal.lastFailure && (
        <Alert title="The last approval failed">
          <Time at={proposal.lastFailure.at} />: {proposal.lastFailure.message} (in the log: requestId{' '}
          {proposal.lastFailure.requestId})
        </Alert>
      )}
      <div class="split request-review">
        <AboutRequest request={proposal} />
        <Proposed request={proposal} changes={changes} picked={picked} disabled={!mayDecide} onPick={pick} />
      </div>
      <section class="bar stack tight" aria-label="Decision">
        <div class="decision-state">
          <ApprovalState request={proposal} approval={approval} />
        </div>
        {status === 'pending' && (
          <form class="row decision-form" ref={form} onSubmit={(event) => event.preventDefault()}>
            <Button
              class="primary"
              disabled={!mayDecide || picked.length === 0}
              onClick={() => begin(false)}
              text={`Approve ${picked.length} of ${changes.length}`}
            />
            {kind === 'game' && (
              <Checkbox
                label="Stop parsing for this game"
                checked={isLocked}
                disabled={!mayDecide}
                onChange={setLocked}
              />
            )}
            <TextArea
              label="Reason"
              placeholder="A rejection needs one"
              rows={1}
              disabled={!mayDecide}
              value={reason}
              onInput={setReason}
            />
            <Button class="danger" disabled={!mayDecide || typed === ''} onClick={reject} text="Reject" />
          </form>
        )}
        {isUnsent && (
          <p class="hint">
            The request was decided meanwhile, so your reason was not sent: <q dir="auto">{typed}</q>
          </p>
        )}
        <NextRequest request={proposal} isShown={status !== 'pending'} />
      </section>
      {approval?.duplicates && (
        <DuplicatesDialog
          kind={kind}
          duplicates={approval.duplicates}
          onClose={() => dismissApproval(id)}
          onSame={(same) => {
            dismissApproval(id)
            setReason(`This ${kind} is in the catalogue already: ${same}`)
            // The dialog returns the focus to its opener when it closes.
            setTimeout(() => form.current?.querySelector('textarea')?.focus())
          }}
          onCreate={() => {
            dismissApproval(id)
            begin(true)
          }}
        />
      )}
    </>
  )
}

export function RequestView({ id = '' }: ViewProps) {
  const [isClaimed, setClaimed] = useState(false)
  const everyMs = isClaimed ? CLAIMED_EVERY_MS : EVERY_MS
  const query = useQuery(
    'GET /requests/:id',
    { params: { id } },
    { everyMs, onAnswer: ({ claimedAt }) => setClaimed(claimedAt !== null) },
  )
  const { answer } = query
  const decided = async () => void (await Promise.all([query.load(), reload('GET /requests')]))

  return (
    <Page
      title={answer ? describeRequest(answer) : 'Request'}
      lead={
        <>
          <a href={`#/requests${toKindSuffix(readKind())}`}>Requests</a>
          {answer && ' · '}
          {answer && <Badge {...REQUEST_STATUS[answer.status]} />}
          {answer?.targetSlug && answer.kind === 'game' && (
            <>
              {' · '}
              <a href={linkTo('games', answer.targetSlug)}>Open {answer.targetName}</a>
            </>
          )}
        </>
      }
    >
      <Loaded query={query}>{(proposal) => <Review key={id} request={proposal} onDecided={decided} />}</Loaded>
    </Page>
  )
}
