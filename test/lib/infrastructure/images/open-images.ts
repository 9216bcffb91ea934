import { readConfig } from '#lib/base/config'
import { createImages } from '#lib/infrastructure/images/create-images'
import type { Storage, StoredObject } from '#lib/infrastructure/storage/storage'

type CreateImagesOptions = Parameters<typeof createImages>[0]

interface Options extends Pick<CreateImagesOptions, 'limits' | 'resolve' | 'isPublic'> {
  env?: Record<string, string>
  /** Exempt places. */
  allow?: readonly string[]
  put?: Storage['put']
}

export function openImages({ env, allow = [], put, ...others }: Options = {}) {
  const stored = new Map<string, StoredObject>()
  const storage: CreateImagesOptions['storage'] = {
    async put(key, object, options) {
      await put?.(key, object, options)
      stored.set(key, object)
    },
  }
  const config = readConfig({ IMAGE_FETCH_ALLOW: allow.join(','), ...env })

  return { ...createImages({ config, storage, ...others }), stored }
}
