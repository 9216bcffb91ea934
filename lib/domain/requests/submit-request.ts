import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { type ContentRequest, type CreateRequestBody, MESSAGES, PENDING_REQUESTS_LIMIT } from '../../contract/index.ts'
import type { ContentRequestDocument } from '../../infrastructure/db/collections/content-requests.ts'
import { duplicateKeyField } from '../../infrastructure/db/duplicate-key.ts'
import { takeNewAccountPoint } from '../../infrastructure/limits/new-account-limit.ts'
import { mapImages } from '../../infrastructure/storage/image-fields.ts'
import type { Actor } from '../auth/actor.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames, toContentRequest } from './to-wire.ts'

const SLOTS = Array.from({ length: PENDING_REQUESTS_LIMIT }, (_, slot) => slot)
/** Each failed attempt lost its slot to another submit, so concurrent submits never use all attempts. */
const ATTEMPTS = 2 * PENDING_REQUESTS_LIMIT

async function insertPending({ db: { contentRequests } }: Pick<RequestsDeps, 'db'>, request: ContentRequestDocument) {
  const pendingOfUser = { userId: request.userId, status: 'pending' } as const
  const options = { projection: { _id: 0, slot: 1 } }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const pending = await contentRequests.find(pendingOfUser, options).toArray()
    const taken = new Set(pending.map(({ slot }) => slot))
    // Requests of the first data have no slot, so each of them blocks a free slot.
    const free = SLOTS.filter((slot) => !taken.has(slot)).slice(0, Math.max(0, PENDING_REQUESTS_LIMIT - pending.length))
    // The slot is random, so that parallel submits rarely collide.
    const slot = free[Math.floor(Math.random() * free.length)]
    if (slot === undefined) break
    try {
      await contentRequests.insertOne({ ...request, slot })
      return
    } catch (error) {
      // The unique index of slots decides which of several requests gets one.
      if (duplicateKeyField(error) !== 'userId') throw error
    }
  }
  throw new DomainError('CONFLICT', MESSAGES.requestsFull)
}

/**
 * Stores a request to add an entry or to correct one, and nothing else.
 * @throws DomainError NOT_FOUND for an update of nothing, CONFLICT when the actor has 20 pending requests, RATE_LIMITED for a
 * new account
 */
export async function submitRequest(
  deps: Pick<RequestsDeps, 'db' | 'clock' | 'storage'>,
  { user }: Actor,
  { targetId, ...proposed }: CreateRequestBody,
): Promise<ContentRequest> {
  const now = deps.clock()
  const request: ContentRequestDocument = {
    _id: new ObjectId(),
    ...proposed,
    payload: mapImages(proposed.payload, (link) => deps.storage.keyOf(link) ?? link),
    targetId: targetId === null ? null : new ObjectId(targetId),
    status: 'pending',
    userId: user._id,
    createdAt: now,
    updatedAt: now,
  }
  const names = await findNames(deps, [request])
  if (targetId !== null && !names.entries[request.kind].has(targetId)) {
    throw new DomainError('NOT_FOUND', MESSAGES.targetNotFound)
  }
  await takeNewAccountPoint(deps, user, 'requests')
  await insertPending(deps, request)
  return toContentRequest(deps, request, names)
}
