import { Game, type GameRow } from '../contract/catalogue.ts'
import type { GameDocument } from '../db/collections/games.ts'
import { toContract } from '../db/to-contract.ts'

/** A whole game as it is sent, without derived and internal fields. */
export function toGame(stored: GameDocument): Game {
  const { hltb, ...game } = toContract(Game, stored)
  return {
    ...game,
    cover: game.cover ?? null,
    // A link that was made while the source was switched off has no time of its own.
    ...(hltb && { hltb: { ...hltb, updatedAt: hltb.updatedAt ?? game.updatedAt } }),
  }
}

export const GAME_ROW_FIELDS = { name: 1, slug: 1, cover: 1, type: 1, first_release: 1 } as const

export type StoredGameRow = Pick<GameDocument, '_id' | keyof typeof GAME_ROW_FIELDS>

export const toGameRow = ({ _id, name, slug, cover, type, first_release }: StoredGameRow): GameRow => ({
  _id: _id.toHexString(),
  name,
  slug,
  cover: cover ?? null,
  type: type ?? null,
  first_release: first_release ?? null,
})
