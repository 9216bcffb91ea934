import { Platforms } from '#lib/contract/catalogue'
import { ANY_CASE } from '#lib/infrastructure/db/collections/users'
import type { Database } from '#lib/infrastructure/db/connect'
import { toContract } from '#lib/infrastructure/db/to-contract'

/** Lists all platforms by name, in any case. */
export async function listPlatforms({ db }: { db: Pick<Database, 'platforms'> }): Promise<Platforms> {
  const stored = await db.platforms
    .find({}, { collation: { ...ANY_CASE } })
    .sort({ name: 1, slug: 1 })
    .toArray()
  return stored.map((platform) => toContract(Platforms.element, platform))
}
