import type { UserDocument } from '#lib/infrastructure/db/collections/users'
import type { AuthDeps } from '../deps.ts'
import { describeDevice } from '../describe-device.ts'
import { nameKnownDevice } from '../known-devices.ts'
import { recordAddress } from '../record-address.ts'
import { endSession } from './end-sessions.ts'
import { endOldFamilies, insertFamily } from './token-family.ts'
import { createFamilyId, createRefreshToken, hashRefreshToken, issueAccessToken } from './tokens.ts'

/** Describes where a sign-in comes from: its address, its program and the earlier sessions of its browser. */
export interface SignIn {
  address: string
  userAgent: string | undefined
  browser: {
    /** The tokens of the browser's previous session, which ends. */
    refreshTokens: readonly string[]
    knownDevices: readonly string[]
  }
}

/** Starts a session of a user whose password was just checked. The newest 50 sessions of a user stay. */
export async function startSession(
  deps: AuthDeps,
  user: Pick<UserDocument, '_id' | 'passwordChange'>,
  { address, userAgent, browser }: SignIn,
) {
  const familyId = createFamilyId()
  const refreshToken = createRefreshToken(familyId)
  const passwordStamp = user.passwordChange?.stamp ?? null
  const accessToken = await issueAccessToken(deps, { userId: user._id, familyId, passwordStamp })

  await recordAddress(deps, user._id, address)
  await insertFamily(deps.db.refreshTokens, {
    familyId,
    tokenHash: hashRefreshToken(refreshToken),
    userId: user._id,
    passwordStamp,
    client: { address, device: describeDevice(userAgent) },
  })
  await endSession(deps, { refreshTokens: browser.refreshTokens, accessTokens: [] })
  await endOldFamilies(deps.db, user._id)
  deps.sessionUsers.drop(user._id.toHexString())
  const knownDevice = nameKnownDevice(deps, browser.knownDevices, user)
  return { userId: user._id.toHexString(), accessToken, refreshToken, knownDevice }
}
