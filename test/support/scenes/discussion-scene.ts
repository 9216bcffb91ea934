import { ObjectId } from 'mongodb'
import type { CommentDocument } from '#lib/infrastructure/db/collections/comments'
import { watchDiscussion } from '../clients/watch-discussion.ts'
import { insertComment, insertGame } from '../rows/rows.ts'
import { closeAtEnd } from '../service/close-at-end.ts'
import { startService } from '../service/start-service.ts'
import { untilCaughtUp } from '../service/until-caught-up.ts'

/** Starts a service with a game, the author of a discussion, a reader and an admin. */
export async function startDiscussion(...options: Parameters<typeof startService>) {
  const service = await startService(...options)
  const author = await service.caller({ userName: 'author' })
  const gameId = await insertGame(service.db)

  return {
    service,
    close: () => service.close(),
    author,
    reader: await service.caller(),
    admin: await service.caller({ isAdmin: true }),
    gameId,
    insert: (facts: Partial<CommentDocument> = {}) =>
      insertComment(service.db, { gameId, userId: new ObjectId(author.id), ...facts }),
    /** Opens a socket that follows the game, and receives no event of an earlier change. */
    async watch(id = gameId) {
      await untilCaughtUp(service.deps)
      return await watchDiscussion(service.baseUrl, id)
    },
  }
}

export const useDiscussion = closeAtEnd(startDiscussion)
