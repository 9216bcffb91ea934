import type { SessionUser } from '../../auth/session-user.ts'
import { APPROVAL_IMAGES_TIMEOUT_MS } from '../../concurrency/timeouts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { RequestDecisionBody } from '../../contract/requests.ts'
import { DomainError } from '../../errors.ts'
import type { RequestsDeps } from '../deps.ts'
import type { ClaimedRequest } from './claim.ts'
import { createImageCopies, type ImageCopies } from './image-copies.ts'
import { createLocks, type Locks } from './locks.ts'
import { createUploadsJournal, type UploadsJournal } from './uploads-journal.ts'

/** A running approval. */
export interface ApprovalContext {
  /** As it was when it was claimed. */
  request: ClaimedRequest
  admin: SessionUser
  choice: Pick<RequestDecisionBody, 'fields' | 'reason' | 'lockSync' | 'force'>
  httpRequestId: string
  /** Aborts at the deadline, when the claim is lost, when an upload fails, and when the service stops. */
  signal: AbortSignal
  uploads: UploadsJournal
  locks: Locks
  images: ImageCopies
  /** Whole sentences for the admin. */
  warnings: string[]
  /** Aborts what is under way, waits until nothing is being stored any more, and releases the locks. */
  end(): Promise<void>
}

export interface ApprovalTimeouts {
  /** The time that all downloads of one approval share. */
  imagesMs: number
}

type ApprovalInput = Pick<ApprovalContext, 'request' | 'admin' | 'choice' | 'httpRequestId' | 'signal'>

export function createApprovalContext(
  deps: Pick<RequestsDeps, 'db' | 'images' | 'log' | 'failpoint'>,
  { request, admin, choice, httpRequestId, signal: stopSignal }: ApprovalInput,
  { imagesMs }: ApprovalTimeouts = { imagesMs: APPROVAL_IMAGES_TIMEOUT_MS },
): ApprovalContext {
  const ending = new AbortController()
  const signal = AbortSignal.any([stopSignal, ending.signal])
  const uploads = createUploadsJournal(deps, { request, signal })
  const locks = createLocks(deps, { request, signal })
  const images = createImageCopies(deps, {
    uploads,
    signal,
    timeoutMs: imagesMs,
    abort: (reason) => ending.abort(reason),
  })

  return {
    request,
    admin,
    choice,
    httpRequestId,
    signal,
    uploads,
    locks,
    images,
    warnings: [],
    async end() {
      ending.abort(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable))
      await images.finished()
      await locks.release()
    },
  }
}
