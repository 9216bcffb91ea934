import type { ObjectId } from 'mongodb'
import type { SessionList } from '../../contract/auth.ts'
import type { AuthDeps } from './deps.ts'
import type { SessionUser } from './session-user.ts'
import { readFamilyId } from './tokens.ts'

/** The tokens of a request, of which some belong to its session. */
export interface SentTokens {
  accessTokens: readonly string[]
  refreshTokens: readonly string[]
}

export async function findSentFamilies(
  { verifyToken }: Pick<AuthDeps, 'verifyToken'>,
  { accessTokens, refreshTokens }: SentTokens,
  userId: ObjectId,
): Promise<Set<string | null | undefined>> {
  const claims = await Promise.all(accessTokens.map(verifyToken))
  const own = claims.flatMap((each) => (each?.userId.equals(userId) ? each.familyId : []))
  return new Set([...own, ...refreshTokens.map(readFamilyId)])
}

/** Lists the live sessions of a user, the last used first. */
export async function listSessions(
  deps: Pick<AuthDeps, 'db' | 'verifyToken'>,
  { viewer: { _id: userId }, tokens }: { viewer: Pick<SessionUser, '_id'>; tokens: SentTokens },
): Promise<SessionList> {
  const sent = await findSentFamilies(deps, tokens, userId)
  const families = await deps.db.refreshTokens
    .find({ userId, $expr: { $gt: ['$expiresAt', '$$NOW'] } }, { sort: { updatedAt: -1, _id: -1 } })
    .toArray()
  return {
    results: families.map(({ _id, familyId, device, address, createdAt, updatedAt }) => ({
      _id: _id.toHexString(),
      device: device ?? 'Unknown device',
      address: address ?? null,
      createdAt: createdAt.toISOString(),
      lastUsedAt: updatedAt.toISOString(),
      isCurrent: sent.has(familyId),
    })),
  }
}
