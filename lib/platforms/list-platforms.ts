import type { PlatformList } from '../contract/catalogue.ts'
import { ANY_CASE } from '../db/collections/users.ts'
import type { PlatformsDeps } from './deps.ts'
import { PLATFORM_ROW_FIELDS, toPlatformRow } from './to-wire.ts'

/** Lists all platforms by name, whatever the case of its letters. */
export async function listPlatforms({ db }: Pick<PlatformsDeps, 'db'>): Promise<PlatformList> {
  const platforms = await db.platforms
    .find({}, { projection: PLATFORM_ROW_FIELDS, collation: { ...ANY_CASE } })
    .sort({ name: 1, slug: 1 })
    .toArray()
  return { results: platforms.map(toPlatformRow), total: platforms.length }
}
