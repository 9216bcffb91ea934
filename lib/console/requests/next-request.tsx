import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ReviewedRequest } from '../../contract/requests.ts'
import { useQuery } from '../parts/query.tsx'
import { linkTo } from '../route.ts'
import { readKind, toKindSuffix } from './describe-request.ts'

const EVERY_MS = 30_000
const TAKE = 30

/** A link to the next pending request of the kind in the address. It is read ahead. */
export function NextRequest({ request, isShown }: { request: ReviewedRequest; isShown: boolean }) {
  const kind = readKind()
  const { answer } = useQuery(
    'GET /requests',
    { query: { status: 'pending', order: 'oldest', take: TAKE, ...(kind && { kind }) } },
    { everyMs: EVERY_MS },
  )
  const link = useRef<HTMLAnchorElement>(null)
  const wasShown = useRef(isShown)
  useLayoutEffect(() => {
    // The buttons that had the focus were removed. A later effect could take it from another control.
    if (isShown && !wasShown.current) link.current?.focus({ preventScroll: true })
    wasShown.current = isShown
  }, [isShown])

  if (!isShown || answer === undefined) return null
  const free = answer.results.filter(({ _id, claimedAt }) => _id !== request._id && claimedAt === null)
  const next = free.find(({ createdAt }) => createdAt >= request.createdAt) ?? free[0]
  const suffix = toKindSuffix(kind)
  return (
    <a ref={link} class={next && 'button primary'} href={(next ? linkTo('requests', next._id) : '#/requests') + suffix}>
      {next ? 'Next request' : 'No other request is waiting'}
    </a>
  )
}
