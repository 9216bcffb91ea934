import type { SessionList } from '#lib/contract/auth'
import type { AuthDeps } from '../deps.ts'
import type { SessionUser } from '../session-user.ts'
import { readFamilyId } from './tokens.ts'

/** All tokens of a request. Some may belong to other sessions. */
export interface SentTokens {
  accessTokens: readonly string[]
  refreshTokens: readonly string[]
}

/** Finds the families of the tokens sent. An access token counts where the refresh token is lost. */
export async function findSentFamilies(
  { verifyToken }: Pick<AuthDeps, 'verifyToken'>,
  { accessTokens, refreshTokens }: SentTokens,
): Promise<Set<string>> {
  const claims = await Promise.all(accessTokens.map(verifyToken))
  const sent = [...refreshTokens.map(readFamilyId), ...claims.map((claim) => claim?.familyId)]
  return new Set(sent.flatMap((familyId) => familyId ?? []))
}

/** Lists the live sessions of a user, the last used first. */
export async function listSessions(
  deps: Pick<AuthDeps, 'db' | 'verifyToken'>,
  { viewer: { _id: userId }, tokens }: { viewer: Pick<SessionUser, '_id'>; tokens: SentTokens },
): Promise<SessionList> {
  const sent = await findSentFamilies(deps, tokens)
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
