import { findStoredPlatforms } from './find-stored.ts'
import { insertMissing } from './insert-missing.ts'
import { seedPlatforms } from './seed-data.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

/** Stores the platforms with the ids that sources know them by. */
export async function fillPlatforms({ db, at }: SeedContext): Promise<void> {
  const stored = await findStoredPlatforms(db)

  await insertMissing(
    db.platforms,
    seedPlatforms
      .filter(({ slug }) => !stored.has(slug))
      .map((platform) => ({ _id: seedId('platform', platform.slug), ...platform, createdAt: at, updatedAt: at })),
  )
}
