import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { PENDING_REQUESTS_LIMIT } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ContentRequest, CreateRequestBody } from '../contract/requests.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import { DomainError } from '../errors.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames } from './find-names.ts'
import { toContentRequest } from './to-wire.ts'

type SubmitDeps = Pick<RequestsDeps, 'db' | 'clock' | 'pendingSlots' | 'requestWrites'>

/** A failed attempt lost its slot to another request, so submits alone never use all attempts. */
const ATTEMPTS = 2 * PENDING_REQUESTS_LIMIT

async function insertPending(
  { pendingSlots, requestWrites }: SubmitDeps,
  request: ContentRequestDocument,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const slot = await pendingSlots.take(request.userId)
    if (slot === undefined) break
    const written = await requestWrites({ ...request, slot })
    if (written.outcome === 'written') return
    if (written.outcome === 'failed') throw written.error
    pendingSlots.forget(request.userId)
  }
  throw new DomainError('CONFLICT', MESSAGES.requestsFull)
}

/**
 * Stores a request to add an entry or to correct one, and nothing else.
 * @throws DomainError NOT_FOUND for an update of nothing, CONFLICT when the author has 20 pending requests
 */
export async function submitRequest(
  deps: SubmitDeps,
  { author, targetId, ...proposed }: CreateRequestBody & { author: SessionUser },
): Promise<ContentRequest> {
  const now = deps.clock()
  const request: ContentRequestDocument = {
    _id: new ObjectId(),
    ...proposed,
    targetId: targetId === null ? null : new ObjectId(targetId),
    status: 'pending',
    userId: author._id,
    createdAt: now,
    updatedAt: now,
  }
  const names = await findNames(deps, [request], { author })
  if (targetId !== null && !names.entries[request.kind].has(targetId)) {
    throw new DomainError('NOT_FOUND', MESSAGES.targetNotFound)
  }
  await insertPending(deps, request)
  return toContentRequest(request, names)
}
