import type { ObjectId } from 'mongodb'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { ImageError } from '../../images/image-error.ts'
import type { Images } from '../../images/images.ts'
import { createImagesInTime } from '../../images/images-in-time.ts'
import type { Folder } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import type { UploadsJournal } from './uploads-journal.ts'

/** Copies the images of one approval into the storage: at most 4 at once, all within the time that they share. */
export interface ImageCopies extends Pick<Images, 'copy'> {
  /**
   * Copies an image of the payload, recorded in the journal before.
   * @returns its public address; null when the link failed
   * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
   */
  copyProposed(link: string, folder: Folder, entityId: ObjectId): Promise<string | null>
  /** Links of the payload that failed. */
  failedLinks: readonly string[]
  /** Resolves when no copy is under way any more. */
  finished(): Promise<void>
}

interface ImageCopiesOptions {
  uploads: UploadsJournal
  signal: AbortSignal
  /** The time that all downloads share. */
  timeoutMs: number
  /** Called when a copy fails for another reason than its link: the other copies would be for nothing. */
  abort(reason: unknown): void
}

const CONCURRENCY = 4

export function createImageCopies(
  { images, log, failpoint }: Pick<RequestsDeps, 'images' | 'log' | 'failpoint'>,
  { uploads, signal, timeoutMs, abort }: ImageCopiesOptions,
): ImageCopies {
  const failedLinks: string[] = []
  const running = new Set<Promise<unknown>>()
  const semaphore = createSemaphore(CONCURRENCY)
  const imagesInTime = createImagesInTime(
    { copy: (image) => semaphore.run(image.signal ?? signal, () => images.copy(image)) },
    timeoutMs,
  )

  const copy: Images['copy'] = async (image) => {
    await failpoint('approval:copying-image')
    const copying = imagesInTime.copy({ ...image, signal })
    running.add(copying)
    try {
      const copied = await copying
      await failpoint('approval:uploaded')
      uploads.confirm(copied.key)
      return copied
    } catch (error) {
      if (!(error instanceof ImageError)) abort(error)
      signal.throwIfAborted()
      throw error
    } finally {
      running.delete(copying)
    }
  }

  return {
    copy,
    failedLinks,
    async copyProposed(link, folder, entityId) {
      try {
        return (await copy({ link, folder, entityId, note: uploads.record })).url
      } catch (error) {
        if (!(error instanceof ImageError)) throw error
        log.warn({ err: error, link }, 'image of a request could not be copied')
        failedLinks.push(link)
        return null
      }
    },
    async finished() {
      await Promise.allSettled(running)
    },
  }
}
