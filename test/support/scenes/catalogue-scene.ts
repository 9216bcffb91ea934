import { ObjectId } from 'mongodb'
import { type CopyInput, ImageError } from '#lib/infrastructure/images/images'
import { createAddresses, type ObjectKey } from '#lib/infrastructure/storage/storage'
import { createPatientQueue } from '../service/patient-queue.ts'
import { useDatabase } from '../service/use-database.ts'

const BASE = 'https://cdn.example/files'

/** In-memory images and storage. A link with `broken` is no image. */
function createImageScene() {
  /** The link that each object was copied from. */
  const objects = new Map<ObjectKey, string>()
  const downloads: string[] = []

  async function copy({ link, folder, entityId, objectId = new ObjectId().toHexString(), recordKey }: CopyInput) {
    downloads.push(link)
    await new Promise((resolve) => setImmediate(resolve))
    if (link.includes('broken')) throw new ImageError('it is no image')
    const key: ObjectKey = `${folder}/${entityId.toHexString()}/${objectId}`
    await recordKey?.(key)
    objects.set(key, link)
    return key
  }

  return {
    images: { copy },
    storage: {
      ...createAddresses(BASE),
      mayStoreAfterFailure: false,
      get: async () => undefined,
      async *list() {
        yield* objects.keys()
      },
      put: async () => {},
      delete: async (keys: readonly ObjectKey[]) => {
        for (const key of keys) objects.delete(key)
      },
    },
    objects,
    downloads,
    forget() {
      objects.clear()
      downloads.length = 0
    },
  }
}

export async function useCatalogueScene() {
  const { db } = await useDatabase()
  const { forget, ...imageScene } = createImageScene()

  return {
    ...imageScene,
    db,
    clock: () => new Date(),
    queue: createPatientQueue(),
    async reset() {
      forget()
      await Promise.all([db.games.deleteMany({}), db.characters.deleteMany({})])
    },
  }
}
