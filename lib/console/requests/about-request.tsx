import type { ReviewedRequest } from '../../contract/requests.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { Time } from '../parts/time.tsx'
import { linkTo } from '../route.ts'
import { useUserName } from '../user-names.ts'
import { REQUEST_STATUS } from './describe-request.ts'
import { Result } from './result.tsx'

/** Author, reason, sources and result of a request. */
export function AboutRequest({ request }: { request: ReviewedRequest }) {
  const { userName, createdAt, note, sources, status, reason, decidedAt, decidedBy, resultSlug, kind } = request
  const decider = useUserName(decidedBy)
  return (
    <section class="panel stack tight about-request" aria-label="About the request">
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
