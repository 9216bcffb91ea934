import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { CLEAN_UP_WAIT_MS } from '../../concurrency/timeouts.ts'
import { listImages } from '../../games/list-images.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import { isObjectKey } from '../../storage/object-key.ts'
import { type ObjectKey, StorageError } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import type { ClaimedRequest } from './claim.ts'

type DeleteDeps = Pick<RequestsDeps, 'db' | 'storage' | 'failpoint'>

export interface OrphanedUploads {
  requestId: ObjectId
  /** The claim under which the uploads are recorded, as it is stored; null or absent for a request without one. */
  claimedAt?: Date | null | undefined
  /** Keys that the approval knows to have stored, whatever became of their records. */
  stored?: readonly ObjectKey[]
  /** Keys whose records stay for another deletion where the storage may store late. */
  uncertainUploads?: readonly string[]
}

/** The keys that the entries of their ids refer to at this moment. */
async function findReferenced({ db }: DeleteDeps, keys: readonly ObjectKey[]): Promise<Set<ObjectKey>> {
  const _id = { $in: keys.map((key) => new ObjectId(key.split('/')[1])) }
  const [games, characters] = await Promise.all([
    db.games.find({ _id }, { projection: { cover: 1, screenshots: 1, artworks: 1 } }).toArray(),
    db.characters.find({ _id }, { projection: { mugShot: 1 } }).toArray(),
  ])
  const urls = [...games.flatMap(listImages), ...stringsIn(characters.map(({ mugShot }) => mugShot))]
  // Only the ends are compared: the storage may have had another address when they were written.
  return new Set(keys.filter((key) => urls.some((url) => url.endsWith(`/${key}`))))
}

/**
 * Deletes the objects that are recorded on a request and that no entry of the catalogue refers to, then takes their
 * records away. Repeating it is no error; after a failure the records stay.
 * @throws StorageError, or what the database throws
 */
export async function deleteOrphanedUploads(
  deps: DeleteDeps,
  { requestId, claimedAt, stored = [], uncertainUploads = [] }: OrphanedUploads,
): Promise<void> {
  const { contentRequests } = deps.db
  // Uploads recorded under another claim are stored at this moment by another approval.
  const own = { _id: requestId, claimedAt: claimedAt ?? null }
  const request = await contentRequests.findOne(own, { projection: { pendingUploads: 1 } })
  const recorded = request?.pendingUploads ?? []
  const keys = [...new Set([...recorded.filter(isObjectKey), ...stored])]

  if (keys.length > 0) {
    const referenced = await findReferenced(deps, keys)
    await deps.failpoint('approval:deleting-orphans')
    await deps.storage.delete(keys.filter((key) => !referenced.has(key)))
    await deps.failpoint('approval:orphans-deleted')
  }
  const mayArrive = deps.storage.mayStoreAfterFailure ? uncertainUploads : []
  const done = recorded.filter((key) => !mayArrive.includes(key))
  if (done.length > 0) await contentRequests.updateOne(own, { $pullAll: { pendingUploads: done } })
}

export type CleanUpDeps = Pick<RequestsDeps, 'db' | 'storage' | 'log' | 'failpoint'>

/**
 * Deletes the orphaned uploads of a request; a slow deletion goes on by itself. After a failure they stay recorded for the
 * next start, decision or hour. The log of `deps` names the request. Never rejects.
 */
export async function cleanUpInBackground(deps: CleanUpDeps, uploads: OrphanedUploads): Promise<void> {
  const cleaned = deleteOrphanedUploads(deps, uploads).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'orphaned uploads could not be deleted yet')
  })
  await Promise.race([cleaned, sleep(CLEAN_UP_WAIT_MS, undefined, { ref: false })])
}

/** Deletes what a killed approval of a request left. While the storage fails its records stay, for the next clean-up. */
export async function cleanUpPreviousAttempt(deps: CleanUpDeps, request: ClaimedRequest): Promise<void> {
  const { _id: requestId, claimedAt, pendingUploads: uncertainUploads = [] } = request
  if (uncertainUploads.length === 0) return
  await deleteOrphanedUploads(deps, { requestId, claimedAt, uncertainUploads }).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
    deps.log.warn({ err: error }, 'orphaned uploads could not be deleted yet')
  })
}
