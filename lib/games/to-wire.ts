import { Game, type GameRow } from '../contract/catalogue.ts'
import type { GameDocument } from '../db/collections/games.ts'
import { toContract } from '../db/to-contract.ts'

/** A whole game as it is sent, without what is derived or internal. */
export const toGame = (game: GameDocument): Game => toContract(Game, game)

export const GAME_ROW_FIELDS = { name: 1, slug: 1, cover: 1, type: 1, first_release: 1 } as const

export type StoredGameRow = Pick<GameDocument, '_id' | keyof typeof GAME_ROW_FIELDS>

/** A game as a search shows it. */
export const toGameRow = ({ _id, name, slug, cover, type, first_release }: StoredGameRow): GameRow => ({
  _id: _id.toHexString(),
  name,
  slug,
  cover: cover ?? null,
  type: type ?? null,
  first_release: first_release ?? null,
})
