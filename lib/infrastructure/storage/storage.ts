export const FOLDERS = ['covers', 'screenshots', 'artworks', 'characters'] as const
export type Folder = (typeof FOLDERS)[number]

/** `<folder>/<entity id>/<24 hex>`; nothing else is ever written, read or deleted. */
export type ObjectKey = `${Folder}/${string}/${string}`

export interface StoredObject {
  bytes: Uint8Array
  /** The media type of the answer. */
  type: string
}

/** The storage failed after its retries, or does not answer. The message never contains credentials. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}

/** Stores images in a bucket of an S3 compatible server, or in local files that the service serves itself. */
export interface Storage {
  /** True when an object may appear after its put failed, because a server may still process the bytes it received. */
  mayStoreAfterFailure: boolean
  /**
   * Stores an object, replacing one of the same key.
   * @throws StorageError; the object may have been stored all the same
   */
  put(key: ObjectKey, object: StoredObject, options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Deletes objects. A missing object is no error.
   * @throws StorageError
   */
  delete(keys: readonly ObjectKey[]): Promise<void>
  /** Makes the public address of a stored image: of the key of an object. The address of a foreign image stays as it is. */
  addressOf(image: string): string
  /** Reads the key of an address that this storage made; undefined for any other. */
  keyOf(address: string): ObjectKey | undefined
}
