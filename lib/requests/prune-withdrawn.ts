import type { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { RequestsDeps } from './deps.ts'

/** Withdrawn requests of one user that are kept. */
const WITHDRAWN_LIMIT = 50

/**
 * Deletes all but the newest withdrawn requests of a user, so that submitting and withdrawing for ever fills no disk. A
 * request whose uploads are still to be deleted stays until they are. Never rejects: the next withdrawal prunes again.
 */
export async function pruneWithdrawn(
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
