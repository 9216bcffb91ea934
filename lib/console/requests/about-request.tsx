import type { ContentRequest, ReviewedRequest } from '../../contract/requests.ts'
import { formatList } from '../format.ts'
import { useUserName } from '../names.ts'
import { ExternalLink, PersonName, Time } from '../parts/basics.tsx'
import { fieldLabel } from '../proposal/fields.ts'
import { linkTo } from '../route.ts'
import { REQUEST_STATUS } from './describe-request.ts'

const nameFields = (keys: readonly string[]) => formatList(keys.map(fieldLabel))

export function Result({ request: { status, payload, appliedFields, failedFields } }: { request: ContentRequest }) {
  if (status !== 'approved') return null
  const named = new Set([...appliedFields, ...failedFields])
  const leftOut = Object.keys(payload).filter((key) => !named.has(key))
  const failed = failedFields.filter((key) => !appliedFields.includes(key))
  const partly = failedFields.filter((key) => appliedFields.includes(key))
  return (
    <>
      {appliedFields.length > 0 && <p>Applied: {nameFields(appliedFields)}</p>}
      {leftOut.length > 0 && <p>Not applied: {nameFields(leftOut)}</p>}
      {failed.length > 0 && <p class="refusal">Images could not be copied: {nameFields(failed)}</p>}
      {partly.length > 0 && <p class="refusal">Some images could not be copied: {nameFields(partly)}</p>}
    </>
  )
}

export function AboutRequest({ request }: { request: ReviewedRequest }) {
  const { userName, createdAt, note, sources, status, reason, decidedAt, decidedBy, resultSlug, kind } = request
  const decider = useUserName(decidedBy)
  return (
    <section class="panel stack tight about-request" aria-label="About the request">
      <p>
        Sent by <PersonName id={request.userId} name={userName} /> <Time at={createdAt} />
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
      {note ? <blockquote dir="auto">{note}</blockquote> : <p class="muted">None.</p>}
      <h2>Sources</h2>
      {sources.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <ul class="stack tight">
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
