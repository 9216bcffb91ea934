import type { ObjectId } from 'mongodb'
import type { ConflictSource } from '../contract/conflicts-namespace.ts'
import type { Deps } from '../deps.ts'
import { NEXT_UPDATED_AT } from './change-game.ts'
import { fenceFilter } from './fencing-token.ts'

interface Fenced {
  gameIds: readonly ObjectId[]
  source: ConflictSource
  /** Of the lease under which the games are about to be written. */
  fence: number
}

/** Keeps earlier holders of a source's lease from writing what it links to these games, whether they are written or not. */
export async function fenceGames({ db }: Pick<Deps, 'db'>, { gameIds, source, fence }: Fenced): Promise<void> {
  if (gameIds.length === 0) return
  await db.games.updateMany({ ...fenceFilter(source, fence), _id: { $in: [...gameIds] } }, [
    { $set: { [`fences.${source}`]: fence, updatedAt: NEXT_UPDATED_AT } },
  ])
}
