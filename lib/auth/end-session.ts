import type { AuthDeps } from './deps.ts'
import { readFamilyId } from './refresh-token.ts'

/**
 * Ends the family of each token, whether it is the good one or an older one. Answers whose session it was, null when there
 * was none.
 */
export async function endSession(
  { db }: Pick<AuthDeps, 'db'>,
  { refreshTokens }: { refreshTokens: readonly string[] },
): Promise<{ userId: string | null }> {
  let userId: string | null = null

  for (const familyId of new Set(refreshTokens.map(readFamilyId))) {
    if (familyId === undefined) continue
    const family = await db.refreshTokens.findOneAndDelete({ familyId }, { projection: { userId: 1 } })
    userId ??= family?.userId.toHexString() ?? null
  }
  return { userId }
}
