import type { ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { createSemaphore } from '#lib/infrastructure/concurrency/semaphore'
import { APPROVAL_IMAGES_TIMEOUT_MS } from '#lib/infrastructure/concurrency/timeouts'
import { ImageError } from '#lib/infrastructure/images/image-error'
import type { Images } from '#lib/infrastructure/images/images'
import type { Folder, ObjectKey } from '#lib/infrastructure/storage/storage'
import type { RequestsDeps } from '../deps.ts'

export type ImageCopies = ReturnType<typeof createImageCopies>

export interface ImageCopiesOptions {
  /** On which each key is recorded before anything is stored under it. */
  request: { _id: ObjectId; claimedAt: Date }
  /** Collects every key of this approval, also one whose record never arrived. */
  uploads: ObjectKey[]
  signal: AbortSignal
  /** The time that all downloads share. */
  timeoutMs?: number
}

const CONCURRENCY = 4

/** Copies the images of one approval into the storage: at most 4 at once, all within the time that they share. */
export function createImageCopies(
  { db, images, log, failpoint }: Pick<RequestsDeps, 'db' | 'images' | 'log' | 'failpoint'>,
  { request, uploads, signal: outerSignal, timeoutMs = APPROVAL_IMAGES_TIMEOUT_MS }: ImageCopiesOptions,
) {
  const { _id, claimedAt } = request
  const failedLinks: string[] = []
  const running = new Set<Promise<unknown>>()
  const ending = new AbortController()
  const signal = AbortSignal.any([outerSignal, ending.signal])
  const semaphore = createSemaphore(CONCURRENCY)
  const late = AbortSignal.timeout(timeoutMs)

  /** Records a key. @throws DomainError CONFLICT when the claim is lost, the signal's reason; then nothing must be stored */
  async function note(key: ObjectKey): Promise<void> {
    signal.throwIfAborted()
    uploads.push(key)
    await failpoint('approval:recording-upload')
    const { matchedCount } = await db.contentRequests.updateOne(
      { _id, status: 'pending', claimedAt },
      { $addToSet: { pendingUploads: key } },
    )
    await failpoint('approval:upload-recorded')
    if (matchedCount === 0) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
  }

  const copy: Images['copy'] = async (image) => {
    await failpoint('approval:copying-image')
    const copying = semaphore.run(signal, () => images.copy({ ...image, note, signal, late }))
    running.add(copying)
    try {
      const copied = await copying
      await failpoint('approval:uploaded')
      return copied
    } catch (error) {
      // The other copies would be for nothing.
      if (!(error instanceof ImageError)) ending.abort(error)
      signal.throwIfAborted()
      throw error
    } finally {
      running.delete(copying)
    }
  }

  return {
    /** Aborts at the deadline, when the service stops, and when a copy fails for another reason than its link. */
    signal,
    note,
    copy,
    failedLinks,
    /**
     * Copies an image of the payload.
     * @returns its key; null when the link failed
     * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
     */
    async copyProposed(link: string, folder: Folder, entityId: ObjectId): Promise<ObjectKey | null> {
      try {
        return await copy({ link, folder, entityId })
      } catch (error) {
        if (!(error instanceof ImageError)) throw error
        log.warn({ err: error, link }, 'image of a request could not be copied')
        failedLinks.push(link)
        return null
      }
    },
    /** Aborts what is under way, and waits until nothing is being stored any more. */
    async end(): Promise<void> {
      ending.abort(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable))
      await Promise.allSettled(running)
    },
  }
}
