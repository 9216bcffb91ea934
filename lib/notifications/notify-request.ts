import type { ClientSession, ObjectId } from 'mongodb'
import type { RequestFacts } from '../contract/notifications.ts'
import { addToUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

interface DecidedRequest {
  _id: ObjectId
  author: ObjectId
  admin: { _id: ObjectId }
  gameId: ObjectId | null
  facts: RequestFacts
}

/** Tells the author of a content request what became of it, in the transaction of the decision. */
export async function notifyRequest(
  deps: NotificationsDeps,
  { _id, author, admin, gameId, facts }: DecidedRequest,
  session: ClientSession,
): Promise<void> {
  if (author.equals(admin._id)) return
  const fields = { type: 'request', gameId, requestId: _id, facts: { $literal: facts } }
  await addToUnread(deps, { userId: author, key: `request:${_id.toHexString()}`, fields }, session)
}
