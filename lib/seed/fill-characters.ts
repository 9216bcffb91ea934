import { buildCharacterKeys } from '../characters/character-keys.ts'
import { findStoredGames } from './find-stored.ts'
import { insertMissing } from './insert-missing.ts'
import { seedCharacters } from './seed-data.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

/** Stores the characters of the games that are there. */
export async function fillCharacters({ db, at }: SeedContext): Promise<void> {
  const games = await findStoredGames(db)
  const slugs = seedCharacters.map(({ slug }) => slug)
  const stored = new Set(await db.characters.distinct('slug', { slug: { $in: slugs } }))

  const missing = seedCharacters.filter(({ slug }) => !stored.has(slug))
  await insertMissing(
    db.characters,
    missing.map(({ games: gameSlugs, ...fields }) => ({
      _id: seedId('character', fields.slug),
      ...fields,
      gameIds: gameSlugs.flatMap((slug) => games.get(slug) ?? []),
      ...buildCharacterKeys(fields),
      createdAt: at,
      updatedAt: at,
    })),
  )
}
