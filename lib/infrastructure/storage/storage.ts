/** A stored object is never replaced: a new image gets a new key. */
export const CACHE_CONTROL = 'public, max-age=31536000, immutable'

export const FOLDERS = ['covers', 'screenshots', 'artworks', 'characters', 'avatars'] as const
export type Folder = (typeof FOLDERS)[number]

/** `<folder>/<entity id>/<24 hex>`. Nothing else is ever written, read or deleted. */
export type ObjectKey = `${Folder}/${string}/${string}`

export interface StoredObject {
  bytes: Uint8Array
  type: string
}

/** A failure of the storage after its retries. The message never contains credentials. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}

/** Stores images in a bucket of an S3 compatible server, or in local files that the service serves itself. */
export interface Storage {
  /** True when an object may appear after its put failed, because a server may still process the bytes it received. */
  mayStoreAfterFailure: boolean
  /** Stores an object. @throws StorageError; it may have been stored all the same */
  put(key: ObjectKey, object: StoredObject, options?: { signal?: AbortSignal | undefined }): Promise<void>
  /** Reads the bytes of an object; undefined when there is none. @throws StorageError */
  get(key: ObjectKey): Promise<Uint8Array | undefined>
  /** Lists the keys of all objects; nothing else that lies there. @throws StorageError */
  list(): AsyncIterable<ObjectKey>
  /** Deletes objects. A missing object is no error. @throws StorageError */
  delete(keys: readonly ObjectKey[]): Promise<void>
  /** Makes the public address of an object from its key. The address of a foreign image stays the same. */
  addressOf(image: string): string
  /** Reads the key of an address that this storage made; undefined for any other. */
  keyOf(address: string): ObjectKey | undefined
}

const KEY_PATTERN = `(?:${FOLDERS.join('|')})/[0-9a-f]{24}/[0-9a-f]{24}`
const KEY = new RegExp(`^${KEY_PATTERN}$`)
/** Finds the keys among the texts of JSON. */
const QUOTED_KEY = new RegExp(`(?<=")${KEY_PATTERN}(?=")`, 'g')

export const isObjectKey = (text: string): text is ObjectKey => KEY.test(text)

/** Lists the keys that documents contain as texts, at any place of their JSON. */
export const findObjectKeys = (json: string): ObjectKey[] =>
  Array.from(json.matchAll(QUOTED_KEY), ([text]) => text).filter(isObjectKey)

/** Checks a key at runtime, because stored values may evade the type. @throws StorageError */
export function assertObjectKey(key: ObjectKey): void {
  if (!isObjectKey(key)) throw new StorageError('This is not the key of a stored image')
}

export const createAddresses = (base: string): Pick<Storage, 'addressOf' | 'keyOf'> => ({
  addressOf: (image) => (isObjectKey(image) ? `${base}/${image}` : image),

  keyOf(address) {
    const key = address.startsWith(`${base}/`) ? address.slice(base.length + 1) : ''
    return isObjectKey(key) ? key : undefined
  },
})
