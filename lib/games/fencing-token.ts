import type { Filter, ObjectId } from 'mongodb'
import type { Source } from '../contract/sources.ts'
import type { GameDocument } from '../db/collections/games.ts'
import { type GameFields, NEXT_UPDATED_AT } from './change-game.ts'
import type { GamesDeps } from './deps.ts'

/** Matches games that no later holder of the source's lease has claimed or written. */
export function fencingFilter(source: Source, fencingToken: number | undefined): Filter<GameDocument> {
  if (fencingToken === undefined) return {}
  const isNotLater = { $not: { $gt: fencingToken } }
  return { [`fencingTokens.${source}`]: isNotLater, [`fences.${source}`]: isNotLater }
}

/** The token of a write, beside those of other sources. */
export const fencingFields = (
  game: Pick<GameDocument, 'fencingTokens'> | null,
  source: Source,
  fencingToken: number | undefined,
): Pick<GameFields, 'fencingTokens'> =>
  fencingToken === undefined ? {} : { fencingTokens: { ...game?.fencingTokens, [source]: fencingToken } }

interface StampFencingTokenInput {
  gameIds: readonly ObjectId[]
  source: Source
  /** The token of the lease under which the games are about to be written. */
  fencingToken: number
}

/** Keeps earlier holders of a source's lease from writing its links to these games, whether they are written or not. */
export async function stampFencingToken(
  { db }: Pick<GamesDeps, 'db'>,
  { gameIds, source, fencingToken }: StampFencingTokenInput,
): Promise<void> {
  if (gameIds.length === 0) return
  await db.games.updateMany({ ...fencingFilter(source, fencingToken), _id: { $in: [...gameIds] } }, [
    { $set: { [`fencingTokens.${source}`]: fencingToken, updatedAt: NEXT_UPDATED_AT } },
  ])
}
