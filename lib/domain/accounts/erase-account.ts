import type { ObjectId } from 'mongodb'
import { DELETED_USER } from '../../contract/limits.ts'
import { ERASURE_TIMEOUTS } from '../../infrastructure/concurrency/timeouts.ts'
import type { DeletedUserDocument } from '../../infrastructure/db/collections/deleted-users.ts'
import { createJob, type Job } from '../../infrastructure/jobs/create-job.ts'
import { isObjectKey } from '../../infrastructure/storage/storage.ts'
import type { Actor } from '../auth/actor.ts'
import { changeEach } from '../comments/change-each.ts'
import { deleteComment } from '../comments/change-status.ts'
import { takeVotesBack } from '../comments/set-like.ts'
import { removeUser } from '../notifications/remove-user.ts'
import { removeAuthor } from '../requests/remove-author.ts'
import type { ErasureDeps } from './deps.ts'

/** How many comments change at once. */
const CONCURRENCY = 4

/** Deletes the comments of an account and takes its votes back. @throws the reason of the signal */
async function eraseComments(deps: ErasureDeps, actor: Actor, signal: AbortSignal): Promise<void> {
  const { comments, reports } = deps.db
  const { _id: userId } = actor.user
  const options = { projection: { _id: 1 } }
  const job = { limit: CONCURRENCY, mayGoOn: () => !signal.aborted }
  const written = await comments.find({ userId, status: { $ne: 'deleted' } }, options).toArray()
  await changeEach(deps, written, { ...job, change: (comment) => deleteComment(deps, actor, comment) })
  signal.throwIfAborted()
  await deps.failpoint('erasure:comments')
  const liked = await comments.find({ likedBy: userId }, options).toArray()
  const reported = await reports.find({ reporterId: userId }, { projection: { commentId: 1 } }).toArray()
  const voted = [...liked, ...reported.map(({ commentId }) => ({ _id: commentId }))]
  await changeEach(deps, voted, { ...job, change: (comment) => takeVotesBack(deps, actor, comment) })
  signal.throwIfAborted()
  await deps.failpoint('erasure:votes')
}

/** Removes the names of a user, and texts about the user, from the staff log and from decisions on conflicts. Ids stay. */
async function eraseNames({ db: { staffActions, conflicts } }: ErasureDeps, userId: ObjectId): Promise<void> {
  const target = { 'target.kind': 'user', 'target.id': userId.toHexString(), 'target.name': { $exists: true } } as const
  await staffActions.updateMany({ 'admin.userId': userId }, { $set: { 'admin.userName': DELETED_USER } })
  const texts = { 'details.reason': true, 'details.text': true } as const
  await staffActions.updateMany(target, { $set: { 'target.name': DELETED_USER }, $unset: texts })
  await conflicts.updateMany({ 'decidedBy.userId': userId }, { $set: { 'decidedBy.userName': DELETED_USER } })
  await conflicts.updateMany({ 'reopenedBy.userId': userId }, { $set: { 'reopenedBy.userName': DELETED_USER } })
}

/** Erases what a closed account has left, except its images. Each step may be repeated. @throws the reason of the signal */
export async function eraseAccount(deps: ErasureDeps, userId: ObjectId, signal: AbortSignal): Promise<void> {
  const actor = { user: { _id: userId, userName: DELETED_USER, isAdmin: false } }
  await deps.db.refreshTokens.deleteMany({ userId })
  await deps.db.userAddresses.deleteMany({ userId })
  await deps.db.presets.deleteOne({ _id: userId })
  await deps.failpoint('erasure:begun')
  await eraseComments(deps, actor, signal)
  await removeAuthor(deps, userId)
  await deps.failpoint('erasure:requests')
  await removeUser(deps, userId)
  await deps.failpoint('erasure:notifications')
  await eraseNames(deps, userId)
  await deps.failpoint('erasure:names')
}

const { requestsMs, uploadsMs } = ERASURE_TIMEOUTS

type Pending = Omit<DeletedUserDocument, 'isPending'> & {
  /** Since the account was closed, by the database's clock. */
  ageMs: number
}

function findPending({ db }: ErasureDeps): Promise<Pending[]> {
  const projection = { at: 1, erasedAt: 1, images: 1, ageMs: { $subtract: ['$$NOW', '$at'] } }
  return db.deletedUsers.find<Pending>({ isPending: true }, { projection }).toArray()
}

/**
 * Erases an account once more. The last run begins when no request from before the closing can be under way; images are
 * deleted again when no upload can be.
 */
async function erase(deps: ErasureDeps, { _id, erasedAt, images, ageMs }: Pending, signal: AbortSignal): Promise<void> {
  if (erasedAt === undefined) await eraseAccount(deps, _id, signal)
  const areUploadsOver = images.length === 0 || ageMs >= uploadsMs
  const isLast = erasedAt === undefined && ageMs >= requestsMs
  if (images.length > 0 && (isLast || areUploadsOver)) await deps.storage.delete(images.filter(isObjectKey))
  await deps.failpoint('erasure:images')
  const ended = {
    ...(isLast && { erasedAt: '$$NOW' }),
    ...((isLast || erasedAt) && areUploadsOver && { images: [], isPending: '$$REMOVE' }),
  }
  await deps.db.deletedUsers.updateOne({ _id }, [{ $set: ended }])
}

/** Creates the job that erases closed accounts. A run answers how many are pending, null for none. */
export const createErasureJob = (deps: ErasureDeps): Job =>
  createJob(deps, {
    ...ERASURE_TIMEOUTS,
    name: 'accounts/erasure',
    isDue: async () => (await deps.db.deletedUsers.findOne({ isPending: true })) !== null,
    async run({ signal, stopping }) {
      const pending = await findPending(deps)
      const failures: unknown[] = []
      for (const account of pending) {
        if (signal.aborted || stopping.aborted) break
        await erase(deps, account, signal).catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
      return pending.length === 0 ? null : { accounts: pending.length }
    },
  })
