import { Platforms } from '../contract/catalogue.ts'
import { ANY_CASE } from '../db/collections/users.ts'
import type { Database } from '../db/connect.ts'
import { toContract } from '../db/to-contract.ts'

/** Lists all platforms by name, whatever the case of its letters. */
export async function listPlatforms({ db }: { db: Pick<Database, 'platforms'> }): Promise<Platforms> {
  const stored = await db.platforms
    .find({}, { collation: { ...ANY_CASE } })
    .sort({ name: 1, slug: 1 })
    .toArray()
  return stored.map((platform) => toContract(Platforms.element, platform))
}
