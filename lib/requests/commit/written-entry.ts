import type { ObjectId } from 'mongodb'

export interface WrittenEntry {
  resultId: ObjectId
  /** Public addresses of all images that the entry has now. */
  images: readonly string[]
  /** Public addresses that the entry had before and has no longer. */
  replacedImages: readonly string[]
}
