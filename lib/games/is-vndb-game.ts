import type { GameDocument } from '../db/collections/games.ts'
import { listLinkedIds } from './linked-ids.ts'

/** Whether VNDB is where a game comes from: it is linked there, and not to IGDB. */
export const isVndbGame = (game: Pick<GameDocument, 'igdb' | 'vndb'>): boolean =>
  listLinkedIds(game, 'vndb').length > 0 && listLinkedIds(game, 'igdb').length === 0
