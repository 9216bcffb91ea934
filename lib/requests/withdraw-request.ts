import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ContentRequest } from '../contract/requests.ts'
import { DomainError } from '../errors.ts'
import { type ClearDeps, cleanUpInBackground } from './approval/clean-up-in-background.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames } from './find-names.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from './live-claim.ts'
import { REQUEST_FIELDS, type RequestRow, toContentRequest } from './to-wire.ts'

interface Withdrawal {
  requestId: string
  author: SessionUser
}

async function refusalOf(
  { contentRequests }: RequestsDeps['db'],
  _id: ObjectId,
  author: SessionUser,
): Promise<DomainError> {
  const found = await contentRequests.findOne({ _id }, { projection: { userId: 1 }, maxTimeMS: MAX_TIME_MS })
  if (found === null) return new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
  return found.userId.equals(author._id)
    ? new DomainError('CONFLICT', MESSAGES.requestDecided)
    : new DomainError('FORBIDDEN', MESSAGES.requestNotYours)
}

/**
 * Withdraws one's own pending request, unless an admin is deciding it. What an abandoned approval noted is cleared
 * afterwards, however long the storage takes.
 * @throws DomainError NOT_FOUND, FORBIDDEN, CONFLICT
 */
export async function withdrawRequest(deps: ClearDeps, { requestId, author }: Withdrawal): Promise<ContentRequest> {
  const { contentRequests } = deps.db
  const _id = new ObjectId(requestId)
  const withdrawn: (RequestRow & { work?: string[] }) | null = await contentRequests.findOneAndUpdate(
    { _id, userId: author._id, status: 'pending', $expr: { $not: [IS_CLAIM_LIVE] } },
    [{ $set: { status: 'withdrawn', updatedAt: '$$NOW' } }, { $unset: ['slot', ...CLAIM_FIELDS] }],
    { returnDocument: 'after', projection: { ...REQUEST_FIELDS, work: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (withdrawn === null) throw await refusalOf(deps.db, _id, author)
  if (withdrawn.work?.length) void cleanUpInBackground(deps, { requestId: _id, uncertainUploads: withdrawn.work })
  return toContentRequest(withdrawn, await findNames(deps, [withdrawn], { author }))
}
