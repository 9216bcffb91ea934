import type { PlatformRow } from '../contract/catalogue.ts'
import type { PlatformDocument } from '../db/collections/platforms.ts'

export const PLATFORM_ROW_FIELDS = { name: 1, slug: 1 } as const

/** A platform as the forms offer it. */
export const toPlatformRow = ({ _id, name, slug }: Pick<PlatformDocument, '_id' | 'name' | 'slug'>): PlatformRow => ({
  _id: _id.toHexString(),
  name,
  slug,
})
