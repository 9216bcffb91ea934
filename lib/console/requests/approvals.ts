import { signal } from '@preact/signals'
import type { Answer, CallInput } from '../../client/index.ts'
import type { ErrorBody } from '../../contract/errors.ts'
import type { AdminContentRequest } from '../../contract/requests.ts'
import { notify } from '../notices.ts'
import { type ApiError, call, hall, settle } from '../session.ts'

type Body = CallInput<'POST /requests/:id/decision'>['body']
export type Duplicates = NonNullable<ErrorBody['duplicates']>

/** An approval that was begun here. `cut`: the connection was lost; `vanished`: it ended then, and nothing was changed. */
export interface Approval {
  status: 'running' | 'cut' | 'done' | 'refused' | 'vanished'
  since: number
  what: string
  /** The service's answer; undefined for a `done` one whose answer was lost. */
  answer?: Answer<'POST /requests/:id/decision'>
  error?: ApiError
  duplicates?: Duplicates
}

/** Approvals by the id of their request. They stay until they are dismissed, whatever view is open. */
export const approvals = signal<Readonly<Record<string, Approval | undefined>>>({})

const POLL_MS = 2_000
/** Number of reads without a claim after which an approval counts as ended. One is not enough: it may be on the way. */
const IDLE_READS = 3

function set(id: string, approval: Approval | undefined): void {
  approvals.value = { ...approvals.peek(), [id]: approval }
}

export const dismissApproval = (id: string): void => set(id, undefined)

function change(id: string, changes: Partial<Approval>): void {
  const approval = approvals.peek()[id]
  if (approval !== undefined) set(id, { ...approval, ...changes })
}

export const isUnderWay = (approval: Approval | undefined): boolean =>
  approval?.status === 'running' || approval?.status === 'cut'

/** True when the service did not answer: the connection was lost, or a proxy timed out. */
const isCut = ({ status, body }: ApiError) => status === 0 || (body === null && (status === 502 || status === 504))

async function follow(id: string, name: string): Promise<void> {
  let idle = 0
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const answer = await settle(hall.call('GET /requests/:id', { params: { id } }))
    if (!answer.ok) continue
    const { status, claimedAt }: AdminContentRequest = answer.value
    if (status !== 'pending') {
      change(id, { status: 'done' })
      return notify(status === 'approved' ? `${name} is approved` : `${name} is ${status}`)
    }
    idle = claimedAt === null ? idle + 1 : 0
    if (idle >= IDLE_READS) return change(id, { status: 'vanished' })
  }
}

/** Approves a request. Where the connection is cut, the outcome is read, and the approval is not sent again. */
export async function approve(
  { id, name, what }: { id: string; name: string; what: string },
  body: Omit<Body, 'decision'>,
): Promise<void> {
  if (isUnderWay(approvals.peek()[id])) return
  set(id, { status: 'running', since: Date.now(), what })
  const answer = await call('POST /requests/:id/decision', { params: { id }, body: { ...body, decision: 'approve' } })
  if (answer.ok) {
    change(id, { status: 'done', answer: answer.value })
    return notify(`${name} is approved`)
  }
  const { error } = answer
  if (isCut(error)) {
    change(id, { status: 'cut' })
    return await follow(id, name)
  }
  const duplicates = error.body?.duplicates
  change(id, { status: 'refused', error, ...(duplicates && { duplicates }) })
}
