import type { ClientSession, ObjectId } from 'mongodb'

/** An entry that an approval is about to create or change. Nothing is written or stored yet. */
export interface EntryPlan {
  /**
   * Copies the images into the storage.
   * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
   */
  copyImages(): Promise<EntryWrite>
}

/** The one write of an approval, made in the transaction that decides its request; a transaction may run it again. */
export type EntryWrite = (session: ClientSession) => Promise<WrittenEntry>

export interface WrittenEntry {
  resultId: ObjectId
  /** Public addresses of all images that the entry has now. */
  images: readonly string[]
  /** Public addresses that the entry had before and has no longer. */
  replacedImages: readonly string[]
}
