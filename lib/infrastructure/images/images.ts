import type { ObjectId } from 'mongodb'
import type { RequestParts } from '../observability/request-parts.ts'
import type { ImageType } from '../storage/image-type.ts'
import type { Folder, ObjectKey } from '../storage/storage.ts'

/** A refused or unreadable image link. The message is the second half of a sentence for a person (`the address is private`). */
export class ImageError extends Error {
  override readonly name = 'ImageError'
}

export interface Image {
  bytes: Buffer
  type: ImageType
  width: number
  height: number
}

export interface CopyInput {
  link: string
  /** True for a link from a source's answer, which may lead to the configured image host of IGDB. */
  isOfSource?: boolean | undefined
  folder: Folder
  entityId: ObjectId
  /** The last part of the key, 24 hex characters; a new id without it. */
  objectId?: string
  signal?: AbortSignal | undefined
  /** Ends the download with an ImageError. The upload of a complete download is not ended. */
  late?: AbortSignal
  /** Called before the upload. A rejection prevents it. */
  recordKey?: (key: ObjectKey) => Promise<void>
  parts?: RequestParts
}

/** Downloads images of other sites safely, at most 8 at once in the process. */
export interface Images {
  /** @returns the key @throws ImageError when the link is no usable image, StorageError when it cannot be stored, or the signal's reason */
  copy(input: CopyInput): Promise<ObjectKey>
}
