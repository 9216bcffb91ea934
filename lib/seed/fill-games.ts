import type { ObjectId } from 'mongodb'
import type { GameDocument } from '../db/collections/games.ts'
import { buildGameKeys } from '../games/game-keys.ts'
import { findStoredGames, findStoredPlatforms, type IdBySlug } from './find-stored.ts'
import { insertMissing } from './insert-missing.ts'
import { type SeedGame, seedGames } from './seed-data.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

type IdOf = (slug: string) => ObjectId

function toRelations({ parent, related }: SeedGame, toId: IdOf): GameDocument['relatedGames'] {
  if (parent === undefined && related === undefined) return undefined
  const relations = Object.entries(related ?? {}).map(([relation, slugs]) => [relation, slugs.map(toId)])
  return { ...(parent !== undefined && { parent_game: toId(parent) }), ...Object.fromEntries(relations) }
}

function toDocument(game: SeedGame, { toId, platforms, at }: { toId: IdOf; platforms: IdBySlug; at: Date }) {
  const { platforms: slugs, igdbId, vndbId, hltbId, raGame, parent, related, first_release: day, ...fields } = game
  const relatedGames = toRelations(game, toId)
  const stored: GameDocument = {
    _id: seedId('game', game.slug),
    ...fields,
    ...(day !== undefined && { first_release: Date.parse(day) / 1_000 }),
    platformIds: slugs.flatMap((slug) => platforms.get(slug) ?? []),
    ...(relatedGames && { relatedGames }),
    ...(igdbId !== undefined && { igdb: { gameId: igdbId } }),
    ...(vndbId !== undefined && { vndb: { vnId: vndbId } }),
    ...(hltbId !== undefined && { hltb: { hltbId, updatedAt: at } }),
    ...(raGame !== undefined && { retroachievements: [raGame] }),
    createdAt: at,
    updatedAt: at,
  }
  return { ...stored, ...buildGameKeys(stored) }
}

/** Stores the games, linked to their platforms and to each other. */
export async function fillGames({ db, at }: SeedContext): Promise<void> {
  const platforms = await findStoredPlatforms(db)
  const stored = await findStoredGames(db)
  const toId = (slug: string) => stored.get(slug) ?? seedId('game', slug)

  const missing = seedGames.filter(({ slug }) => !stored.has(slug))
  await insertMissing(
    db.games,
    missing.map((game) => toDocument(game, { toId, platforms, at })),
  )
}
