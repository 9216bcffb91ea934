import type { Filter } from 'mongodb'
import type { Source } from '../contract/sources.ts'
import type { GameDocument } from '../db/collections/games.ts'
import type { GameFields } from './change-game.ts'

/** Holds for a game that no later holder of the source's lease has written. */
export const fencingFilter = (source: Source, fence: number | undefined): Filter<GameDocument> =>
  fence === undefined ? {} : { [`fences.${source}`]: { $not: { $gt: fence } } }

/** The fence of the write itself, beside those of other sources. */
export const fencingFields = (
  game: Pick<GameDocument, 'fences'> | null,
  source: Source,
  fence: number | undefined,
): Pick<GameFields, 'fences'> => (fence === undefined ? {} : { fences: { ...game?.fences, [source]: fence } })
