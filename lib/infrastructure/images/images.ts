import type { ObjectId } from 'mongodb'
import type { ImageType } from '../storage/image-type.ts'
import type { Folder, ObjectKey } from '../storage/storage.ts'

export interface Image {
  bytes: Buffer
  type: ImageType
  width: number
  height: number
}

interface FetchOptions {
  signal?: AbortSignal
  /** The link comes out of a source's answer, and so may lead to the configured image host of IGDB wherever that is. */
  isOfSource?: boolean
}

export interface CopyInput extends FetchOptions {
  link: string
  folder: Folder
  entityId: ObjectId
  /** The last part of the key, 24 hex characters; a new id without it. */
  objectId?: string
  /** Ends the download, as an ImageError; what has arrived by then is stored, however long that takes. */
  late?: AbortSignal
  /** Called with the key before anything is stored; a rejection stores nothing. */
  note?: (key: ObjectKey) => Promise<void>
}

/** Downloads images of other sites safely, at most 8 at once in the process. */
export interface Images {
  /** @throws ImageError, or the signal's reason */
  fetch(link: string, options?: FetchOptions): Promise<Image>
  /**
   * Downloads an image and puts it into the storage.
   * @returns its key
   * @throws ImageError when the link is no usable image, StorageError when it cannot be stored
   */
  copy(input: CopyInput): Promise<ObjectKey>
}
