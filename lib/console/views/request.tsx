import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReviewedRequest } from '../../contract/requests.ts'
import { formatClock, formatCount, formatList } from '../format.ts'
import { knownGames, readGames } from '../game-names.ts'
import { type ApiError, hall } from '../hall.ts'
import { notify, notifyError } from '../notices.ts'
import { Busy } from '../parts/busy.tsx'
import { ExternalLink } from '../parts/external-link.tsx'
import { describeGame } from '../parts/game-row.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { TextArea } from '../parts/text-area.tsx'
import { Time } from '../parts/time.tsx'
import { usePlatforms } from '../proposal/use-platforms.ts'
import { request } from '../request.ts'
import { type Approval, approvals, approve, dismissApproval, isUnderWay } from '../requests/approvals.ts'
import { type Change, ChangesTable, changesAnything } from '../requests/changes-table.tsx'
import { describeRequest, listProposed, REQUEST_STATUS } from '../requests/describe-request.ts'
import { DuplicatesDialog } from '../requests/duplicates-dialog.tsx'
import { Result } from '../requests/result.tsx'
import { listFieldGameIds, toItems } from '../requests/value-items.ts'
import type { ViewProps } from '../route.ts'
import { linkTo } from '../route.ts'
import { isSignedIn, user } from '../session.ts'
import { useNow } from '../use-now.ts'
import { useQuery } from '../use-query.ts'
import { useUserName } from '../user-names.ts'

const CLAIMED_EVERY_MS = 2_000
const EVERY_MS = 30_000

function About({ request }: { request: ReviewedRequest }) {
  const { userName, createdAt, note, sources, status, reason, decidedAt, decidedBy, resultSlug, kind } = request
  const decider = useUserName(decidedBy)
  return (
    <section class="about-request panel" aria-label="About the request">
      <p>
        Sent by <strong>{userName ?? 'deleted user'}</strong> <Time at={createdAt} />
        {decidedAt && (
          <>
            , {REQUEST_STATUS[status].name.toLowerCase()}
            {decidedBy && ` by ${decider}`} <Time at={decidedAt} />
          </>
        )}
      </p>
      {reason && (
        <p>
          Reason: <q>{reason}</q>
        </p>
      )}
      <Result request={request} />
      {status === 'approved' && resultSlug && kind === 'game' && (
        <p>
          <a href={linkTo('games', resultSlug)}>Open the game</a>
        </p>
      )}
      <h2>Note</h2>
      {note ? <blockquote>{note}</blockquote> : <p class="muted">None.</p>}
      <h2>Sources</h2>
      {sources.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <ul>
          {sources.map((source) => (
            <li key={source}>
              <ExternalLink href={source}>{source}</ExternalLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function toDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function Running({ since, what, isCut }: { since: number; what: string; isCut: boolean }) {
  const now = useNow(1_000)
  return (
    <div class="running" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>
        <strong>Approving</strong> for {toDuration(now - since)}: {what}.
        {isCut && ' The connection was cut; the approval goes on, and its end will be shown here.'}
      </p>
    </div>
  )
}

function Outcome({ approval, onDismiss }: { approval: Approval; onDismiss(): void }) {
  const { status, failedImages, warnings, isUnseen, error } = approval
  const dismiss = (
    <button type="button" class="small" onClick={onDismiss}>
      Dismiss
    </button>
  )
  if (status === 'refused') return <Problem error={error}>{dismiss}</Problem>
  if (status === 'vanished') {
    return (
      <div class="problem" role="alert">
        <p>
          <strong>The approval has ended, and nothing was changed.</strong> It was refused, or never arrived. It can be
          approved again.
        </p>
        <div class="actions">{dismiss}</div>
      </div>
    )
  }
  return (
    <div class={failedImages.length + warnings.length > 0 ? 'outcome warned' : 'outcome'} role="status">
      <p>
        <strong>Request approved.</strong>
        {isUnseen && ' The connection was cut, so its warnings are not known here. Look at what was written.'}
      </p>
      {failedImages.length > 0 && (
        <>
          <p>These images could not be copied:</p>
          <ul>
            {failedImages.map((link) => (
              <li key={link}>{link}</li>
            ))}
          </ul>
        </>
      )}
      {warnings.length > 0 && (
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <div class="actions">{dismiss}</div>
    </div>
  )
}

function Claim({ request }: { request: ReviewedRequest }) {
  const { claimedAt, claimedBy } = request
  const name = useUserName(claimedBy)
  if (claimedAt === null) return null
  return (
    <p class="claim" role="status">
      {claimedBy === user.value?.userId ? 'You are' : `${name} is`} deciding since {formatClock(claimedAt)}
    </p>
  )
}

/** The work of an approval, in words. */
function describeWork(changes: readonly Change[]): string {
  const images = changes
    .filter(({ field }) => field.kind === 'image' || field.kind === 'images')
    .reduce((sum, { proposed }) => sum + proposed.length, 0)
  const entries = changes.filter(({ field: { key } }) => /^(igdb|vndb|hltb)Id$|^retroachievements$/.test(key))
  return formatList([
    ...(entries.length > 0 ? [`reading ${formatList(entries.map(({ field }) => field.label))}`] : []),
    ...(images > 0 ? [`copying ${formatCount(images, 'image')}`] : []),
    `writing ${formatCount(changes.length, 'field')}`,
  ])
}

function useChanges(request: ReviewedRequest): Change[] {
  const platforms = usePlatforms()
  const games = knownGames.value
  const fields = listProposed(request)
  const current = request.current ?? {}
  const ids = [...new Set([...listFieldGameIds(fields, request.payload), ...listFieldGameIds(fields, current)])]
  useEffect(() => {
    readGames(ids).catch(notifyError)
  }, [ids.join()])

  const names = {
    platform: (id: string) =>
      platforms.find(({ _id }) => _id === id)?.name ?? (platforms.length === 0 ? '…' : `Unknown platform ${id}`),
    game(id: string) {
      const game = games.get(id)
      if (game === undefined) return { name: '…', slug: null }
      if (game === null) return { name: `A game that left the catalogue (${id})`, slug: null }
      return { name: `${game.name} (${describeGame(game)})`, slug: game.slug }
    },
  }
  return fields.map((field) => ({
    field,
    isNew: request.current === null,
    current: toItems(field, current[field.key], names),
    proposed: toItems(field, request.payload[field.key], names),
  }))
}

function Review({ request: proposal, onDecided }: { request: ReviewedRequest; onDecided(): Promise<void> }) {
  const { _id: id, kind, status, claimedAt } = proposal
  const changes = useChanges(proposal)
  const [applied, setApplied] = useState<ReadonlySet<string>>(() => new Set(Object.keys(proposal.payload)))
  const [isLocked, setLocked] = useState(false)
  const [reason, setReason] = useState('')
  const [isRejecting, setRejecting] = useState(false)
  const [error, setError] = useState<ApiError>()
  const form = useRef<HTMLElement>(null)
  const approval = approvals.value.get(id)
  const isRunning = isUnderWay(approval)
  const mayDecide = status === 'pending' && claimedAt === null && !isRunning && !isRejecting
  const name = describeRequest(proposal)
  const picked = changes.filter(({ field }) => applied.has(field.key))

  // The end of an approval is seen in the request itself.
  useEffect(() => {
    if (approval !== undefined && !isRunning) void onDecided()
  }, [approval?.status])

  function begin(force: boolean) {
    if (!isSignedIn()) return
    setError(undefined)
    void approve(
      { id, name, what: describeWork(picked) },
      {
        fields: picked.map(({ field }) => field.key),
        force,
        ...(kind === 'game' && { lockSync: isLocked }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
    )
  }

  async function reject() {
    if (!isSignedIn()) return
    setRejecting(true)
    const body = { decision: 'reject', reason: reason.trim() } as const
    const answer = await request(hall.call('POST /requests/:id/decision', { params: { id }, body }))
    setRejecting(false)
    setError(answer.ok ? undefined : answer.error)
    if (answer.ok) notify('The request is rejected. Its author reads the reason')
    await onDecided()
  }

  function toggle(key: string) {
    const next = new Set(applied)
    if (!next.delete(key)) next.add(key)
    setApplied(next)
  }
  const setAll = (which: readonly Change[]) => setApplied(new Set(which.map(({ field }) => field.key)))

  return (
    <>
      <div class="standing">
        {isRunning && approval && (
          <Running since={approval.since} what={approval.what} isCut={approval.status === 'cut'} />
        )}
        {approval && !isRunning && approval.duplicates === undefined && (
          <Outcome approval={approval} onDismiss={() => dismissApproval(id)} />
        )}
        {!isRunning && <Claim request={proposal} />}
        {!isRunning && proposal.lastFailure && (
          <div class="problem" role="alert">
            <p>
              <strong>The last approval failed</strong> <Time at={proposal.lastFailure.at} />:{' '}
              {proposal.lastFailure.message} (request {proposal.lastFailure.requestId})
            </p>
          </div>
        )}
        {error && (
          <Problem error={error}>
            <button type="button" class="small" onClick={() => setError(undefined)}>
              Dismiss
            </button>
          </Problem>
        )}
      </div>
      <div class="request-review">
        <About request={proposal} />
        <section class="stack" aria-label="Proposed changes">
          <div class="actions">
            <button type="button" class="small" disabled={!mayDecide} onClick={() => setAll(changes)}>
              All
            </button>
            <button type="button" class="small" disabled={!mayDecide} onClick={() => setAll([])}>
              None
            </button>
            <button
              type="button"
              class="small"
              disabled={!mayDecide}
              onClick={() => setAll(changes.filter(changesAnything))}
            >
              Only differing
            </button>
          </div>
          <ChangesTable changes={changes} applied={applied} disabled={!mayDecide} onToggle={toggle} />
        </section>
      </div>
      {status === 'pending' && (
        <section class="decide-request panel" aria-label="Decision" ref={form}>
          <TextArea
            label="Reason"
            hint="The author reads it. A rejection needs one"
            rows={2}
            disabled={!mayDecide}
            value={reason}
            onInput={setReason}
          />
          {kind === 'game' && (
            <label class="check">
              <input
                type="checkbox"
                checked={isLocked}
                disabled={!mayDecide}
                onChange={(event) => setLocked(event.currentTarget.checked)}
              />
              Stop parsing for this game
            </label>
          )}
          <div class="actions">
            <button
              type="button"
              class="primary"
              disabled={!mayDecide || picked.length === 0}
              onClick={() => begin(false)}
            >
              Approve {picked.length} of {changes.length}
            </button>
            <button
              type="button"
              class="danger"
              disabled={!mayDecide || reason.trim() === ''}
              onClick={() => void reject()}
            >
              Reject
            </button>
          </div>
        </section>
      )}
      {approval?.duplicates && (
        <DuplicatesDialog
          kind={kind}
          duplicates={approval.duplicates}
          onClose={() => dismissApproval(id)}
          onSame={(same) => {
            dismissApproval(id)
            setReason(`This ${kind} is in the catalogue already: ${same}`)
            // The dialog gives the focus back to where it was first.
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

/** A request field by field, and its decision. */
export function RequestView({ id = '' }: ViewProps) {
  const [isClaimed, setClaimed] = useState(false)
  const everyMs = isClaimed ? CLAIMED_EVERY_MS : EVERY_MS
  const {
    answer: request,
    error,
    load,
  } = useQuery(
    'GET /requests/:id',
    { params: { id } },
    { everyMs, onAnswer: ({ claimedAt }) => setClaimed(claimedAt !== null) },
  )

  return (
    <Page
      title={request ? describeRequest(request) : 'Request'}
      lead={
        <>
          <a href="#/requests">Requests</a>
          {request && (
            <>
              {' · '}
              <span class={`badge ${REQUEST_STATUS[request.status].look}`}>{REQUEST_STATUS[request.status].name}</span>
              {request.targetSlug && request.kind === 'game' && (
                <>
                  {' · '}
                  <a href={linkTo('games', request.targetSlug)}>Open {request.targetName}</a>
                </>
              )}
            </>
          )}
        </>
      }
    >
      {error && <Problem error={error} onRetry={load} />}
      {request === undefined && !error && <Busy label="Loading the request …" />}
      {request && <Review key={id} request={request} onDecided={load} />}
    </Page>
  )
}
