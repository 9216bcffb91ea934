import type { ClientSession, ObjectId } from 'mongodb'
import type { ContentRequestDocument } from '../../db/collections/content-requests.ts'
import type { Images } from '../../images/images.ts'
import type { Folder, ObjectKey } from '../../storage/storage.ts'

/** What a running approval is given. */
export interface Approval {
  /** As it was when it was claimed. */
  request: ContentRequestDocument
  /** The payload's fields that the admin picked. */
  payload: Readonly<Record<string, unknown>>
  /** Stop writing parses of outside sources to the game in the background. */
  lockSync: boolean
  /** Create the entry although it may exist already. */
  force: boolean
  /** Aborts at the deadline, when the claim is lost, and when the service stops. */
  signal: AbortSignal
  /** Links of images that could not be copied, as they stand in the payload. */
  failedImages: string[]
  /** Whole sentences. */
  warnings: string[]
  /**
   * Notes keys on the request before something is stored under them.
   * @throws DomainError CONFLICT when the claim is lost
   */
  noteObject(key: ObjectKey): Promise<void>
  /**
   * Copies at most 4 at once and within the time that all downloads of an approval share; what has not arrived by then is an
   * ImageError.
   */
  images: Pick<Images, 'copy'>
  /**
   * Copies an image of the payload into the storage by `images`, noted before.
   * @returns its public address; null when the link failed, which is then in `failedImages`
   * @throws StorageError, DomainError CONFLICT, the signal's reason
   */
  copyProposed(link: string, folder: Folder, entityId: ObjectId): Promise<string | null>
  /**
   * Waits until nobody else checks or creates an entry of this normalised name, and holds the name until the end of the
   * approval; the settle fails with UNAVAILABLE where it was lost on the way.
   */
  holdName(name: string): Promise<void>
  /** The same for an entry of a source that a game is linked to; each in the order of the sources' names, before any name. */
  holdEntry(entry: { source: 'igdb' | 'vndb'; id: string }): Promise<void>
}

/** The one write of an approval, made in the transaction that settles its request; it may run more than once. */
export interface PlannedWrite {
  write(session: ClientSession): Promise<WrittenEntry>
  /** Runs after the transaction, and must not fail the approval: notifications. */
  afterwards?(entry: WrittenEntry): void
}

export interface WrittenEntry {
  resultId: ObjectId
  /** Public addresses of all images that the entry has now; what was noted and is not among them is deleted. */
  images: readonly string[]
  /** Public addresses that the entry had before and has no longer. */
  replacedImages: readonly string[]
}
