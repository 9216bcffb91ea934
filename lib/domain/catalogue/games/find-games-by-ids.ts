import { ObjectId } from 'mongodb'
import { GameRows } from '#lib/contract/catalogue'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { findByIds } from '#lib/infrastructure/db/find-by-ids'
import { toContract, withTimes } from '#lib/infrastructure/db/to-contract'
import { mapImages } from '#lib/infrastructure/storage/image-fields'
import type { CatalogueDeps } from '../deps.ts'
import { GAME_ROW_FIELDS, type StoredGameRow } from './to-wire.ts'

/** Finds games by their ids in the requested order, without repetitions and unknown ids. */
export async function findGamesByIds(deps: Pick<CatalogueDeps, 'db' | 'storage'>, { ids }: { ids: readonly string[] }) {
  const distinct = [...new Set(ids)].map((id) => new ObjectId(id))
  const rows = await findByIds<StoredGameRow & Pick<GameDocument, 'platformIds' | 'createdAt' | 'updatedAt'>>(
    deps.db.games,
    distinct,
    { ...GAME_ROW_FIELDS, platformIds: 1, createdAt: 1, updatedAt: 1 },
  )
  return rows.map((row) => mapImages(toContract(GameRows.element, withTimes(row)), deps.storage.addressOf))
}
