import { findDemoAccounts } from './find-demo-accounts.ts'
import { findStoredGames } from './find-stored.ts'
import { royalLists } from './seed-data.ts'
import type { SeedContext } from './seed-part.ts'

/** Gives each demo user a royal list, unless there is one, be it empty. */
export async function fillRoyalLists({ db, at }: SeedContext): Promise<void> {
  const games = await findStoredGames(db)

  for (const { _id, userName } of await findDemoAccounts(db)) {
    const royalGames = (royalLists[userName] ?? []).flatMap((slug) => games.get(slug) ?? [])
    await db.users.updateOne({ _id, royalGames: { $exists: false } }, { $set: { royalGames, updatedAt: at } })
  }
}
