import type { ClientSession } from 'mongodb'
import type { Source } from '#lib/contract/sources'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { GamesDeps } from './deps.ts'
import { STORED_LINKS } from './linked-ids.ts'

interface SourceId {
  source: Source
  /** As in `conflicts.externalId`. */
  id: string
}

/** Finds the game that is linked to an entry of a source; the oldest where the source lets several be. */
export async function findLinkedGame(
  { db }: Pick<GamesDeps, 'db'>,
  { source, id, session }: SourceId & { session?: ClientSession | undefined },
): Promise<GameDocument | null> {
  const { path, toStored } = STORED_LINKS[source]
  return await db.games.findOne({ [path]: toStored(id) }, { sort: { _id: 1 }, ...(session && { session }) })
}
