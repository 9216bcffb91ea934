import type { ObjectId } from 'mongodb'
import { insertFamily } from '../db/collections/refresh-tokens.ts'
import type { UserDocument } from '../db/collections/users.ts'
import type { AuthDeps } from './deps.ts'
import { endSession } from './end-session.ts'
import { issueAccessToken } from './issue-access-token.ts'
import { REFRESH_TOKEN_SECONDS } from './lifetimes.ts'
import { createFamilyId, createRefreshToken, hashRefreshToken } from './refresh-token.ts'

export interface StartedSession {
  userId: string
  accessToken: string
  refreshToken: string
}

interface SessionStart {
  user: { _id: ObjectId; passwordChange?: UserDocument['passwordChange'] }
  /** What this browser had before: its session ends, one device has one. */
  replaced: readonly string[]
}

/** Begins a session of a user who has just proved to be it. */
export async function startSession(deps: AuthDeps, { user, replaced }: SessionStart): Promise<StartedSession> {
  const familyId = createFamilyId()
  const refreshToken = createRefreshToken(familyId)
  const accessToken = await issueAccessToken(deps, user._id)

  await insertFamily(deps.db.refreshTokens, {
    familyId,
    tokenHash: hashRefreshToken(refreshToken),
    userId: user._id,
    passwordStamp: user.passwordChange?.stamp ?? null,
    lifetimeSeconds: REFRESH_TOKEN_SECONDS,
  })
  await endSession(deps, { refreshTokens: replaced })
  return { userId: user._id.toHexString(), accessToken, refreshToken }
}
