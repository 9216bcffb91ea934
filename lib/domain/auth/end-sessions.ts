import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES, type SessionList } from '../../contract/index.ts'
import type { Actor } from './actor.ts'
import type { AuthDeps } from './deps.ts'
import { findSentFamilies, listSessions, type SentTokens } from './list-sessions.ts'
import { endFamilies } from './token-family.ts'

/** Ends one session of the actor, or without an id all but the current one. @throws DomainError NOT_FOUND */
export async function endSessions(
  deps: Pick<AuthDeps, 'db' | 'verifyToken' | 'sessionUsers'>,
  { user }: Actor,
  { sessionId, ...tokens }: SentTokens & { sessionId?: string },
): Promise<SessionList> {
  const { _id: userId } = user
  const filter = sessionId === undefined ? {} : { _id: new ObjectId(sessionId) }
  const families = await deps.db.refreshTokens.find({ userId, ...filter }, { projection: { familyId: 1 } }).toArray()
  if (sessionId !== undefined && families.length === 0) throw new DomainError('NOT_FOUND', MESSAGES.sessionNotFound)
  const kept = sessionId === undefined ? await findSentFamilies(deps, tokens, userId) : new Set()
  const familyIds = families.flatMap(({ familyId }) => (kept.has(familyId) ? [] : familyId))
  await endFamilies(deps.db, { userId, familyIds })
  deps.sessionUsers.drop(userId.toHexString())
  return await listSessions(deps, { viewer: user, ...tokens })
}
