import { ObjectId } from 'mongodb'
import type { ClaimedDecision } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'

/**
 * Notes on a record the id of the game that its skip is about to create, so that doing it again after a crash makes the
 * same game with the same images. @returns null when another writer has the record in hand
 */
export async function reserveGame(
  { db }: Pick<WriterDeps, 'db'>,
  { record, fence }: { record: ClaimedDecision; fence: number },
): Promise<ObjectId | null> {
  const { _id, decision } = record
  const reserved = await db.conflicts.findOneAndUpdate(
    { _id, status: 'pending', decision, fence },
    [{ $set: { createdGameId: { $ifNull: ['$createdGameId', new ObjectId()] } } }],
    { returnDocument: 'after', projection: { createdGameId: 1 } },
  )
  return reserved?.createdGameId ?? null
}
