import type { ClientSession, Filter } from 'mongodb'
import type { Source } from '../contract/sources.ts'
import type { GameDocument } from '../db/collections/games.ts'
import type { GamesDeps } from './deps.ts'

interface SourceId {
  source: Source
  /** As in `conflicts.externalId`. */
  id: string
}

function linkedTo({ source, id }: SourceId): Filter<GameDocument> {
  if (source === 'igdb') return { 'igdb.gameId': Number(id) }
  if (source === 'vndb') return { 'vndb.vnId': id }
  if (source === 'hltb') return { 'hltb.hltbId': id }
  return { 'retroachievements.gameId': Number(id) }
}

/** Finds the game that is linked to an entry of a source; the oldest where the source lets several be. */
export async function findLinkedGame(
  { db }: Pick<GamesDeps, 'db'>,
  { session, ...entry }: SourceId & { session?: ClientSession | undefined },
): Promise<GameDocument | null> {
  return await db.games.findOne(linkedTo(entry), { sort: { _id: 1 }, ...(session && { session }) })
}
