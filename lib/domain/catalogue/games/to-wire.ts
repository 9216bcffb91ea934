import { Game, GameRow } from '#lib/contract/catalogue'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { toContract, withTimes } from '#lib/infrastructure/db/to-contract'
import { mapImages } from '#lib/infrastructure/storage/image-fields'
import type { CatalogueDeps } from '../deps.ts'

type WireDeps = Pick<CatalogueDeps, 'storage'>

export function toGame({ storage }: WireDeps, stored: GameDocument): Game {
  const { hltb, ...game } = mapImages(toContract(Game, withTimes(stored)), storage.addressOf)
  return {
    ...game,
    // A link that was made while the source was switched off has no time of its own.
    ...(hltb && { hltb: { ...hltb, updatedAt: hltb.updatedAt ?? game.updatedAt } }),
  }
}

export const GAME_ROW_FIELDS = { name: 1, slug: 1, cover: 1, type: 1, first_release: 1 } as const

export type StoredGameRow = Pick<GameDocument, '_id' | keyof typeof GAME_ROW_FIELDS>

export const toGameRow = ({ storage }: WireDeps, row: StoredGameRow): GameRow =>
  mapImages(toContract(GameRow, row), storage.addressOf)
