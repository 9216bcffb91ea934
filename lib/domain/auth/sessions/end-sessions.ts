import { ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { MESSAGES, type SessionList } from '#lib/contract/index'
import type { Actor } from '../actor.ts'
import type { AuthDeps } from '../deps.ts'
import { findSentFamilies, listSessions, type SentTokens } from './list-sessions.ts'
import { endFamilies } from './token-family.ts'

type Deps = Pick<AuthDeps, 'db' | 'verifyToken' | 'sessionUsers'>

/** Ends the families of the tokens sent, current or older. */
export async function endSession(deps: Deps, tokens: SentTokens): Promise<{ userId: string | null }> {
  const sent = await findSentFamilies(deps, tokens)
  const families = await deps.db.refreshTokens.find({ familyId: { $in: [...sent] } }).toArray()
  for (const { userId, familyId } of families) {
    await endFamilies(deps.db, { userId, familyIds: [familyId] })
    deps.sessionUsers.drop(userId.toHexString())
  }
  return { userId: families[0]?.userId.toHexString() ?? null }
}

/** Ends one session of the actor, or without an id all but the current one. @throws DomainError NOT_FOUND */
export async function endSessions(
  deps: Deps,
  { user }: Actor,
  { sessionId, tokens }: { tokens: SentTokens; sessionId?: string },
): Promise<SessionList> {
  const { _id: userId } = user
  const filter = sessionId === undefined ? {} : { _id: new ObjectId(sessionId) }
  const families = await deps.db.refreshTokens.find({ userId, ...filter }, { projection: { familyId: 1 } }).toArray()
  if (sessionId !== undefined && families.length === 0) throw new DomainError('NOT_FOUND', MESSAGES.sessionNotFound)
  const kept = sessionId === undefined ? await findSentFamilies(deps, tokens) : new Set()
  const familyIds = families.flatMap(({ familyId }) => (kept.has(familyId) ? [] : familyId))
  await endFamilies(deps.db, { userId, familyIds })
  deps.sessionUsers.drop(userId.toHexString())
  return await listSessions(deps, { viewer: user, tokens })
}
