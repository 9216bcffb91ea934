import type { AuthDeps } from './deps.ts'
import { endFamilies } from './token-family.ts'
import { readFamilyId } from './tokens.ts'

/**
 * Ends the family of each token, current or older, and its access tokens. A valid access token of the browser ends its family
 * even when the refresh token is lost. Returns the user of the first session that ended,
 * null when there was none.
 */
export async function endSession(
  { db, verifyToken, sessionUsers }: Pick<AuthDeps, 'db' | 'verifyToken' | 'sessionUsers'>,
  { refreshTokens, accessTokens = [] }: { refreshTokens: readonly string[]; accessTokens?: readonly string[] },
): Promise<{ userId: string | null }> {
  const claims = await Promise.all(accessTokens.map(verifyToken))
  const familyIds = [...refreshTokens.map(readFamilyId), ...claims.map((claim) => claim?.familyId)]
  let ended: string | null = null

  for (const familyId of new Set(familyIds)) {
    const family = familyId && (await db.refreshTokens.findOne({ familyId }, { projection: { userId: 1 } }))
    if (!familyId || !family) continue
    await endFamilies(db, { userId: family.userId, familyIds: [familyId] })
    sessionUsers.drop(family.userId.toHexString())
    ended ??= family.userId.toHexString()
  }
  return { userId: ended }
}
