import type { ClientSession, ObjectId } from 'mongodb'
import type { RequestFacts } from '../../infrastructure/db/collections/notifications.ts'
import { addToUnread } from '../notifications/add-to-unread.ts'
import type { RequestsDeps } from './deps.ts'
import type { RequestRow } from './to-wire.ts'

/** Reads the name of the entry, as it is stored after the decision. */
async function readName(
  { db }: Pick<RequestsDeps, 'db'>,
  { kind, payload, resultId, targetId }: RequestRow,
  session: ClientSession,
): Promise<string | null> {
  const _id = resultId ?? targetId
  const options = { session, projection: { name: 1 } }
  const entry =
    _id && (await (kind === 'game' ? db.games.findOne({ _id }, options) : db.characters.findOne({ _id }, options)))
  if (entry) return entry.name
  return typeof payload.name === 'string' ? payload.name : null
}

/** Notifies the author of a decision, in its transaction. An admin who decides an own request gets no notification. */
export async function notifyAuthor(
  deps: Pick<RequestsDeps, 'db'>,
  row: RequestRow,
  { status, decidedBy, session }: { status: 'approved' | 'rejected'; decidedBy: ObjectId; session: ClientSession },
): Promise<void> {
  const { _id, kind, action, payload, userId, appliedFields = [], failedFields = [], reason = null, resultId } = row
  if (userId === null || userId.equals(decidedBy)) return
  const isDecidedOn = (field: string) => appliedFields.includes(field) || failedFields.includes(field)
  const facts: RequestFacts = {
    kind,
    action,
    name: await readName(deps, row, session),
    status,
    appliedFields,
    leftOut: status === 'approved' ? Object.keys(payload).filter((field) => !isDecidedOn(field)) : [],
    failedFields,
    reason,
  }
  const gameId = kind === 'game' && resultId ? resultId : null
  const fields = { type: 'request-decided', gameId, requestId: _id, facts: { $literal: facts } }
  await addToUnread(deps, { userIds: [userId], key: `request:${_id.toHexString()}`, fields }, session)
}
