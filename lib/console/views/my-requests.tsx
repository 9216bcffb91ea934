import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { formatList } from '../format.ts'
import { hold, useActedOn } from '../outbox/outbox.ts'
import { Badge, Button, Page, Time } from '../parts/basics.tsx'
import { Paged } from '../parts/list.tsx'
import { type Query, reload } from '../parts/query.tsx'
import { fieldLabel } from '../proposal/fields.ts'
import { ProposalForm } from '../proposal/proposal-form.tsx'
import type { ProposalStart, ProposalSubject } from '../proposal/proposal-start.ts'
import { Result } from '../requests/about-request.tsx'
import { describeRequest, REQUEST_STATUS } from '../requests/describe-request.ts'
import { useMyRequests } from '../requests/use-my-requests.ts'
import { linkTo, readPage, route, setQuery } from '../route.ts'
import { call } from '../session.ts'

type Requests = Answer<'GET /requests/mine'>
type MyRequest = Requests['results'][number]

const TAKE = 20

function RequestItem({ request: sent, onReuse }: { request: MyRequest; onReuse(request: MyRequest): void }) {
  const { _id, status, reason, createdAt, decidedAt, resultSlug, kind, payload } = sent
  const key = `request/${_id}`
  const isWithdrawn = useActedOn(key)
  const isLinked = route.value.query.get('request') === _id
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isLinked) item.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])

  function withdraw() {
    hold({
      key,
      what: 'Withdraw a request',
      about: describeRequest(sent),
      address: '#/my-requests',
      async send() {
        const answer = await call('DELETE /requests/:id', { params: { id: _id } })
        await reload('GET /requests/mine')
        return answer
      },
    })
  }

  return (
    <li class="stack tight panel" ref={item} aria-current={isLinked ? 'true' : undefined}>
      <div class="row spread">
        <h3>{describeRequest(sent)}</h3>
        <Badge {...REQUEST_STATUS[isWithdrawn ? 'withdrawn' : status]} />
      </div>
      <p class="muted">
        Sent <Time at={createdAt} />
        {decidedAt && (
          <>
            , decided <Time at={decidedAt} />
          </>
        )}{' '}
        · {formatList(Object.keys(payload).map((key) => fieldLabel(key).toLowerCase()))}
      </p>
      {reason && <blockquote dir="auto">{reason}</blockquote>}
      <Result request={sent} />
      <div class="row">
        {status === 'approved' && resultSlug && kind === 'game' && (
          <a href={linkTo('games', resultSlug)}>Open the game</a>
        )}
        {status === 'pending' && !isWithdrawn && <Button class="small" onClick={withdraw} text="Withdraw" />}
        {(status === 'rejected' || status === 'withdrawn') && (
          <Button class="small" onClick={() => onReuse(sent)} text="Use again" />
        )}
      </div>
    </li>
  )
}

/** Reads the start of the form from an address such as `#/my-requests?propose=game-correction&target=<id>`. */
function readStart(): ProposalStart {
  const { query } = route.peek()
  const wanted = query.get('propose')
  const targetId = query.get('target')
  const subject: ProposalSubject =
    wanted === 'character' || wanted === 'game-correction' || wanted === 'character-correction' ? wanted : 'game'
  return { subject, ...(targetId !== null && { targetId }) }
}

/** Opens the page that holds the request in the address, once for each link. */
function useLinked({ answer }: Query<Requests>, page: number) {
  const linked = route.value.query.get('request')
  const found = useRef<string>(undefined)
  useEffect(() => {
    if (linked === null || answer === undefined || found.current === linked) return
    const isShown = answer.results.some(({ _id }) => _id === linked)
    if (isShown || page * TAKE >= answer.total) found.current = linked
    else setQuery({ page: String(page + 1) })
  }, [linked, answer, page])
}

export function MyRequestsView() {
  const page = readPage()
  const mine = useMyRequests({ page, take: TAKE })
  useLinked(mine, page)
  const { query } = route.value
  const link = `${query.get('propose')} ${query.get('target')}`
  const [reused, setReused] = useState<{ number: number; link?: string; start?: ProposalStart }>({ number: 0 })
  const number = reused.number + 1
  const form = useRef<HTMLElement>(null)
  // A reused request fills the form until the address names another subject.
  const start = (reused.link === link && reused.start) || readStart()

  function restart({ subject, targetId }: ProposalStart) {
    setReused({ number })
    setQuery({ propose: subject, target: targetId })
  }

  function reuse({ _id, kind, action, targetId, payload, sources, note }: MyRequest) {
    setReused({
      number,
      link,
      start: {
        subject: action === 'update' ? `${kind}-correction` : kind,
        reused: { requestId: _id, payload, sources: sources.join('\n'), note: note ?? '' },
        ...(targetId !== null && { targetId }),
      },
    })
    form.current?.scrollIntoView()
    form.current?.querySelector('h2')?.focus({ preventScroll: true })
  }

  return (
    <Page title="My requests" lead="Propose a game, a character or a correction. Admins decide field by field.">
      <div class="split my-requests">
        <section aria-labelledby="sent" class="stack">
          <h2 id="sent">Sent</h2>
          <Paged query={mine} take={TAKE} empty="No requests yet." hint="Sent requests appear here with their outcome.">
            {(requests) => (
              <ul class="stack tight" aria-label="My requests">
                {requests.map((request) => (
                  <RequestItem key={request._id} request={request} onReuse={reuse} />
                ))}
              </ul>
            )}
          </Paged>
        </section>
        <section aria-labelledby="propose" class="stack waits" ref={form}>
          <h2 id="propose" tabIndex={-1}>
            Propose
          </h2>
          <ProposalForm
            key={`${link} ${number}`}
            start={start}
            onStart={restart}
            onSent={() => {
              restart({ subject: 'game' })
              setQuery({ page: undefined })
              void mine.load()
            }}
          />
        </section>
      </div>
    </Page>
  )
}
