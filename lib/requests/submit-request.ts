import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { PENDING_REQUESTS_LIMIT } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ContentRequest, CreateRequestBody } from '../contract/requests.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import { duplicateKeyField } from '../db/duplicate-key.ts'
import { MAX_TIME_MS } from '../db/max-time.ts'
import { DomainError } from '../errors.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames } from './find-names.ts'
import { freeSlots } from './free-slots.ts'
import { toContentRequest } from './to-wire.ts'

/** Each attempt that fails lost its slot to another request, so this is never reached by submits alone. */
const ATTEMPTS = 2 * PENDING_REQUESTS_LIMIT

async function storePending({ contentRequests }: RequestsDeps['db'], request: ContentRequestDocument): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const pending = await contentRequests
      .find({ userId: request.userId, status: 'pending' }, { projection: { _id: 0, slot: 1 }, maxTimeMS: MAX_TIME_MS })
      .toArray()
    const free = freeSlots(pending)
    const slot = free[Math.floor(Math.random() * free.length)]
    if (slot === undefined) break
    try {
      await contentRequests.insertOne({ ...request, slot }, { maxTimeMS: MAX_TIME_MS })
      return
    } catch (error) {
      if (duplicateKeyField(error) !== 'userId') throw error
    }
  }
  throw new DomainError('CONFLICT', MESSAGES.requestsFull)
}

/**
 * Stores a request to add an entry or to correct one, and nothing else.
 * @throws DomainError NOT_FOUND for an update of nothing, CONFLICT when the author has 20 pending requests
 */
export async function submitRequest(
  deps: Pick<RequestsDeps, 'db' | 'clock'>,
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
  await storePending(deps.db, request)
  return toContentRequest(request, names)
}
