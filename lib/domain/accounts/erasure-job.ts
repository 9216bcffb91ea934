import { ERASURE_TIMEOUTS } from '../../infrastructure/concurrency/timeouts.ts'
import type { DeletedUserDocument } from '../../infrastructure/db/collections/deleted-users.ts'
import { createJob, type Job } from '../../infrastructure/jobs/create-job.ts'
import { isObjectKey } from '../../infrastructure/storage/storage.ts'
import type { ErasureDeps } from './deps.ts'
import { eraseAccount } from './erase-account.ts'

const { pollMs: periodMs, leaseMs, graceMs, requestsMs, uploadsMs } = ERASURE_TIMEOUTS

type Pending = Omit<DeletedUserDocument, 'isPending'> & {
  /** Since the account was closed, by the database's clock. */
  ageMs: number
}

function findPending({ db }: ErasureDeps): Promise<Pending[]> {
  const projection = { at: 1, erasedAt: 1, images: 1, ageMs: { $subtract: ['$$NOW', '$at'] } }
  return db.deletedUsers.find<Pending>({ isPending: true }, { projection }).toArray()
}

/** Erases an account once more. The last time is when no request from before its closing runs, of images when no upload does. */
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
    name: 'accounts/erasure',
    periodMs,
    leaseMs,
    graceMs,
    isDue: async () => (await deps.db.deletedUsers.findOne({ isPending: true })) !== null,
    async run({ signal, stopping }) {
      const pending = await findPending(deps)
      const failures: unknown[] = []
      for (const each of pending) {
        if (signal.aborted || stopping.aborted) break
        await erase(deps, each, signal).catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
      return pending.length === 0 ? null : { accounts: pending.length }
    },
  })
