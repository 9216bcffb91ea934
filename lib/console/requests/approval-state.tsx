import type { ReviewedRequest } from '../../contract/requests.ts'
import { formatClock, formatDuration } from '../format.ts'
import { useNow } from '../hooks/use-now.ts'
import { useUserName } from '../names.ts'
import { Alert, Button, Problem } from '../parts/basics.tsx'
import { user } from '../session.ts'
import { type Approval, dismissApproval, isUnderWay } from './approvals.ts'

function Running({ since, what, isCut }: { since: number; what: string; isCut: boolean }) {
  const now = useNow(1_000)
  return (
    <div class="flag row" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>
        <strong>Approving</strong> for {formatDuration(Math.max(0, now - since) / 1_000)}: {what}.
        {isCut && ' The connection was lost. The approval continues, and its outcome will appear here.'}
      </p>
    </div>
  )
}

function Outcome({ approval, onDismiss }: { approval: Approval; onDismiss(): void }) {
  const { status, answer, error } = approval
  const { failedImages = [], warnings = [] } = answer ?? {}
  const dismiss = <Button class="small" onClick={onDismiss} text="Dismiss" />
  if (status === 'refused') return <Problem error={error}>{dismiss}</Problem>
  if (status === 'vanished') {
    return (
      <Alert title="The approval has ended, and nothing was changed." buttons={dismiss}>
        The approval was refused or never arrived. The request can be approved again.
      </Alert>
    )
  }
  return (
    <div class={`flag stack tight ${failedImages.length + warnings.length > 0 ? 'warn' : 'good'}`} role="status">
      <p>
        <strong>Request approved.</strong>
        {!answer && ' The connection was lost, so its warnings are unknown here. Check the written fields.'}
      </p>
      {failedImages.length > 0 && <p>These images could not be copied: {failedImages.join(', ')}</p>}
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      <div class="row">{dismiss}</div>
    </div>
  )
}

function Claim({ request }: { request: ReviewedRequest }) {
  const { claimedAt, claimedBy } = request
  const name = useUserName(claimedBy)
  if (claimedAt === null) return null
  return (
    <p class="flag warn" role="status">
      {claimedBy === user.value?.userId ? 'You are' : `${name} is`} deciding since {formatClock(claimedAt)}
    </p>
  )
}

export function ApprovalState({ request, approval }: { request: ReviewedRequest; approval: Approval | undefined }) {
  if (approval === undefined || approval.duplicates !== undefined) return <Claim request={request} />
  if (isUnderWay(approval)) {
    return <Running since={approval.since} what={approval.what} isCut={approval.status === 'cut'} />
  }
  return (
    <>
      <Outcome approval={approval} onDismiss={() => dismissApproval(request._id)} />
      <Claim request={request} />
    </>
  )
}
