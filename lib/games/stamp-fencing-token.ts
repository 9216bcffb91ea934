import type { ObjectId } from 'mongodb'
import type { Source } from '../contract/sources.ts'
import { NEXT_UPDATED_AT } from './change-game.ts'
import type { GamesDeps } from './deps.ts'
import { fencingFilter } from './fencing-token.ts'

interface Fenced {
  gameIds: readonly ObjectId[]
  source: Source
  /** Of the lease under which the games are about to be written. */
  fence: number
}

/** Keeps earlier holders of a source's lease from writing what it links to these games, whether they are written or not. */
export async function stampFencingToken(
  { db }: Pick<GamesDeps, 'db'>,
  { gameIds, source, fence }: Fenced,
): Promise<void> {
  if (gameIds.length === 0) return
  await db.games.updateMany({ ...fencingFilter(source, fence), _id: { $in: [...gameIds] } }, [
    { $set: { [`fences.${source}`]: fence, updatedAt: NEXT_UPDATED_AT } },
  ])
}
