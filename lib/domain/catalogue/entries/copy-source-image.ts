import type { ObjectId } from 'mongodb'
import { hashedId } from '#lib/base/system/hashed-id'
import { ImageError, type Images } from '#lib/infrastructure/images/images'
import type { Folder, ObjectKey } from '#lib/infrastructure/storage/storage'

export interface ImageDeps {
  images: Pick<Images, 'copy'>
}

export interface CopyOptions {
  signal?: AbortSignal | undefined
  /** Called with each key before an object is stored under it. A rejection stops the copying. */
  recordKey?: ((key: ObjectKey) => Promise<void>) | undefined
}

interface CopySourceImageInput extends CopyOptions {
  link: string
  folder: Folder
  entityId: ObjectId
  /** The keys of the entity's images, which are not downloaded again. */
  stored?: ReadonlySet<string>
}

/**
 * Copies an image of a source into the storage: under a new key with `recordKey`, else under the same key each time.
 * @returns the key; null when the link leads to no usable image
 * @throws StorageError, or the signal's reason
 */
export async function copySourceImage(
  { images }: ImageDeps,
  { link, folder, entityId, stored, signal, recordKey }: CopySourceImageInput,
): Promise<ObjectKey | null> {
  const objectId = hashedId(`${entityId.toHexString()} ${link}`)
  const key: ObjectKey = `${folder}/${entityId.toHexString()}/${objectId}`
  if (stored?.has(key)) return key

  signal?.throwIfAborted()
  // A caller with `recordKey` deletes unused objects, so its keys must not be those of another writer.
  const keyed = recordKey === undefined ? { objectId } : { recordKey }
  const input = { link, folder, entityId, isOfSource: true, ...keyed, ...(signal && { signal }) }
  return await images.copy(input).catch((error: unknown) => {
    if (error instanceof ImageError) return null
    throw error
  })
}
