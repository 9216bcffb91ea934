import type { ClientSession } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { notifyRequest } from '../notifications/notify-request.ts'
import type { RequestsDeps } from './deps.ts'
import type { RequestRow } from './to-wire.ts'

/** The name of the entry that was proposed or corrected, as it is stored after the decision. */
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

/** Tells the author what became of a request, in the transaction of the decision. */
export async function notifyAuthor(
  deps: Pick<RequestsDeps, 'db'>,
  row: RequestRow,
  { status, admin, session }: { status: 'approved' | 'rejected'; admin: SessionUser; session: ClientSession },
): Promise<void> {
  const { _id, kind, action, payload, userId, appliedFields = [], failedFields = [], reason = null, resultId } = row
  const isDecidedOn = (field: string) => appliedFields.includes(field) || failedFields.includes(field)
  const facts = {
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
  await notifyRequest(deps, { _id, author: userId, admin, gameId, facts }, session)
}
