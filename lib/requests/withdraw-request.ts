import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ContentRequest } from '../contract/requests.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import { DomainError } from '../errors.ts'
import { type CleanUpDeps, cleanUpInBackground } from './approval/clean-up.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames } from './find-names.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from './live-claim.ts'
import { REQUEST_FIELDS, type RequestRow, toContentRequest } from './to-wire.ts'
import { withLog } from './with-log.ts'

/** Withdrawn requests of one user that are kept. */
const WITHDRAWN_LIMIT = 50

/**
 * Deletes all but the newest withdrawn requests of a user, so that submitting and withdrawing for ever fills no disk. A
 * request whose uploads are still to be deleted stays until they are. Never rejects: the next withdrawal prunes again.
 */
async function pruneWithdrawn(
  { db: { contentRequests }, log }: Pick<RequestsDeps, 'db' | 'log'>,
  userId: ObjectId,
): Promise<void> {
  const withdrawn = { userId, status: 'withdrawn' } as const
  const options = { maxTimeMS: MAX_TIME_MS }
  try {
    if ((await contentRequests.countDocuments(withdrawn, options)) <= WITHDRAWN_LIMIT) return
    const surplus = await contentRequests
      .find(withdrawn, { ...options, projection: { _id: 1 } })
      .sort({ updatedAt: -1, createdAt: -1, _id: -1 })
      .skip(WITHDRAWN_LIMIT)
      .toArray()
    await contentRequests.deleteMany(
      {
        ...withdrawn,
        _id: { $in: surplus.map(({ _id }) => _id) },
        'pendingUploads.0': { $exists: false },
      },
      options,
    )
  } catch (error) {
    log.warn({ err: error, userId }, 'withdrawn requests could not be pruned')
  }
}

interface Withdrawal {
  requestId: string
  author: SessionUser
}

async function findRefusal(
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
 * Withdraws one's own pending request, unless an admin is deciding it. Uploads that an abandoned approval left are deleted
 * afterwards, however long the storage takes.
 * @throws DomainError NOT_FOUND, FORBIDDEN, CONFLICT
 */
export async function withdrawRequest(deps: CleanUpDeps, { requestId, author }: Withdrawal): Promise<ContentRequest> {
  const { contentRequests } = deps.db
  const _id = new ObjectId(requestId)
  const withdrawn: (RequestRow & Pick<ContentRequestDocument, 'pendingUploads'>) | null =
    await contentRequests.findOneAndUpdate(
      { _id, userId: author._id, status: 'pending', $expr: { $not: [IS_CLAIM_LIVE] } },
      [{ $set: { status: 'withdrawn', updatedAt: '$$NOW' } }, { $unset: ['slot', ...CLAIM_FIELDS] }],
      {
        returnDocument: 'after',
        projection: { ...REQUEST_FIELDS, pendingUploads: 1 },
        maxTimeMS: MAX_TIME_MS,
      },
    )
  if (withdrawn === null) throw await findRefusal(deps.db, _id, author)
  const uncertainUploads = withdrawn.pendingUploads ?? []
  if (uncertainUploads.length > 0) {
    void cleanUpInBackground(withLog(deps, { contentRequestId: _id }), { requestId: _id, uncertainUploads })
  }
  const [names] = await Promise.all([findNames(deps, [withdrawn]), pruneWithdrawn(deps, author._id)])
  return toContentRequest(withdrawn, names)
}
