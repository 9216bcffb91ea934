import type { ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { REFRESH_ANSWER_MS, REFRESH_GRACE_MS } from '#lib/infrastructure/concurrency/timeouts'
import type { AuthDeps } from '../deps.ts'
import { describeDevice } from '../describe-device.ts'
import { recordAddress } from '../record-address.ts'
import {
  findLiveFamily,
  type LiveFamily,
  refuseAccessTokens,
  rotateToken,
  type SentToken,
  type SessionClient,
} from './token-family.ts'
import { createRefreshToken, hashRefreshToken, issueAccessToken, readFamilyId } from './tokens.ts'

interface Refreshed {
  userId: ObjectId
  familyId: string
  passwordStamp: ObjectId | null
  /** Absent when the browser has the next token already. */
  refreshToken?: string
}

/** Finds the stamp of the user's password. Undefined when the user is gone, or a new password or a sign-out ended the family. */
async function findPasswordStamp({ db }: AuthDeps, familyId: string, { userId, passwordStamp }: LiveFamily) {
  const projection = { passwordChange: 1, endedFamilies: 1 }
  const user = await db.users.findOne({ _id: userId }, { projection })
  if (user === null || user.endedFamilies?.some((ended) => ended.familyId === familyId)) return undefined
  const { stamp = null, keptFamilyId = null } = user.passwordChange ?? {}
  return String(stamp) === String(passwordStamp) || keptFamilyId === familyId ? stamp : undefined
}

/** Refuses the access tokens before the family ends: a kill in between must not leave them valid. */
async function endReused(deps: AuthDeps, { userId, familyId }: { userId: ObjectId; familyId: string }): Promise<void> {
  await refuseAccessTokens(deps.db, { userId, familyIds: [familyId] })
  deps.sessionUsers.drop(userId.toHexString())
  await deps.failpoint('refresh:reused')
  await deps.db.refreshTokens.deleteOne({ familyId })
  deps.log.warn({ userId }, 'a refresh token was reused: its family has ended')
}

/** The tokens of one family that a browser sends. */
interface SentFamily {
  familyId: string
  tokens: readonly SentToken[]
  client: SessionClient
  /** A time of `performance.now()`, after which no answer reaches the browser. */
  answerBy: number
}

/**
 * Gives the family its next token, and remembers that token when no answer brings it to the browser. Undefined when
 * another request has rotated or ended the family first.
 */
async function rotate(deps: AuthDeps, sent: SentFamily, current: SentToken): Promise<string | undefined> {
  const { familyId, client, answerBy } = sent
  const { sentHash, acceptedHashes } = current
  const refreshToken = createRefreshToken(familyId)
  const nextHash = hashRefreshToken(refreshToken)
  const remember = () => deps.unansweredRotations.set(sentHash, [...acceptedHashes.slice(1), nextHash])

  const rotation = rotateToken(deps.db.refreshTokens, { ...current, familyId, nextHash, client })
  const isRotated = await rotation.catch((error: unknown) => {
    remember()
    throw error
  })
  if (isRotated && performance.now() > answerBy) {
    remember()
    throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
  }
  deps.unansweredRotations.delete(sentHash)
  return isRotated ? refreshToken : undefined
}

/**
 * Refreshes a family with the tokens that a browser sends of it. The first line that fits one of several tokens counts,
 * because a browser may still hold a token of another `COOKIE_DOMAIN`.
 *
 * | The token sent | The family | The answer |
 * |---|---|---|
 * | any of a family that has expired or ended | is not read again | 401 |
 * | any of a family whose user has left, has another password, or has signed out | is deleted | 401 |
 * | the last one issued, or the one before when nobody received that | gets its next token | both tokens |
 * | rotated within the last 10 s, by another tab | stays, since the browser has its next token | an access token |
 * | any older one | is deleted, and its access tokens are refused | 401 |
 */
async function refreshFamily(deps: AuthDeps, sent: SentFamily): Promise<Refreshed | null> {
  const { familyId, tokens, client } = sent
  const family = await findLiveFamily(deps.db.refreshTokens, familyId)
  if (family === null) return null
  const passwordStamp = await findPasswordStamp(deps, familyId, family)
  if (passwordStamp === undefined) {
    await deps.db.refreshTokens.deleteOne({ familyId })
    return null
  }
  const { userId, tokenHash, rotated, now } = family
  const current = tokens.find(({ acceptedHashes }) => acceptedHashes.includes(tokenHash))
  if (current !== undefined) {
    await recordAddress(deps, userId, client.address)
    // The last command: nothing that fails after it may lose the new token.
    const refreshToken = await rotate(deps, sent, current)
    if (refreshToken !== undefined) return { userId, familyId, passwordStamp, refreshToken }
    // A token that lost its turn is never current again.
    return await refreshFamily(deps, sent)
  }
  const isRecent = ({ at }: { at: Date }) => now.getTime() - at.getTime() < REFRESH_GRACE_MS
  const recent = rotated.filter(isRecent).map((old) => old.tokenHash)
  if (tokens.some(({ sentHash }) => recent.includes(sentHash))) return { userId, familyId, passwordStamp }
  await endReused(deps, { userId, familyId })
  return null
}

function toSentToken({ unansweredRotations }: AuthDeps, token: string): SentToken {
  const sentHash = hashRefreshToken(token)
  return { sentHash, acceptedHashes: [sentHash, ...(unansweredRotations.get(sentHash) ?? [])] }
}

interface Refresh {
  refreshTokens: readonly string[]
  address: string
  userAgent: string | undefined
  whenEnded: () => void
}

/**
 * Exchanges a refresh token for an access token and the next refresh token.
 * @throws DomainError UNAUTHORIZED when no token sent is valid, after `whenEnded` where every token was checked
 */
export async function refreshSession(deps: AuthDeps, { refreshTokens, address, userAgent, whenEnded }: Refresh) {
  const client = { address, device: describeDevice(userAgent) }
  const answerBy = performance.now() + REFRESH_ANSWER_MS
  const familyIds = new Set(refreshTokens.map(readFamilyId))
  for (const familyId of familyIds) {
    if (familyId === undefined) continue
    const ofFamily = refreshTokens.filter((token) => readFamilyId(token) === familyId)
    const tokens = ofFamily.map((token) => toSentToken(deps, token))
    const refreshed = await refreshFamily(deps, { familyId, tokens, client, answerBy })
    if (refreshed === null) continue
    const { userId, refreshToken } = refreshed
    return { userId: userId.toHexString(), refreshToken, accessToken: await issueAccessToken(deps, refreshed) }
  }
  if (refreshTokens.length > 0) whenEnded()
  throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
}
