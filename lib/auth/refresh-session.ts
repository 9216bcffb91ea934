import type { ObjectId } from 'mongodb'
import { MESSAGES } from '../contract/messages.ts'
import { findLiveFamily, rotateToken } from '../db/collections/refresh-tokens.ts'
import { DomainError } from '../errors.ts'
import type { AuthDeps } from './deps.ts'
import { issueAccessToken } from './issue-access-token.ts'
import { REFRESH_TOKEN_SECONDS } from './lifetimes.ts'
import { createRefreshToken, hashRefreshToken, readFamilyId } from './refresh-token.ts'

/** Well before the request is answered with 503 all the same. */
const ANSWER_WITHIN_MS = 2_400

interface Refreshed {
  userId: ObjectId
  /** Undefined for a token that another tab has rotated a moment ago: the browser has the new one already. */
  refreshToken: string | undefined
}

async function isFamilyKept({ db }: AuthDeps, family: { familyId: string; userId: ObjectId; stamp: ObjectId | null }) {
  const user = await db.users.findOne({ _id: family.userId }, { projection: { passwordChange: 1 } })
  if (user === null) return false
  const { stamp = null, keptFamilyId = null } = user.passwordChange ?? {}
  return String(stamp) === String(family.stamp) || keptFamilyId === family.familyId
}

interface Sent {
  token: string
  /** By `performance.now()`. */
  answerBy: number
}

async function rotate(deps: AuthDeps, familyId: string, { token: sentToken, answerBy }: Sent) {
  const sentHash = hashRefreshToken(sentToken)
  const refreshToken = createRefreshToken(familyId)
  const nextHash = hashRefreshToken(refreshToken)
  const unanswered = deps.unansweredRotations.get(sentHash) ?? []
  const remember = () => deps.unansweredRotations.set(sentHash, [...unanswered, nextHash])

  const use = await rotateToken(deps.db.refreshTokens, {
    familyId,
    sentHash,
    acceptedHashes: [sentHash, ...unanswered],
    nextHash,
    lifetimeSeconds: REFRESH_TOKEN_SECONDS,
  }).catch((error: unknown) => {
    remember()
    throw error
  })
  if (performance.now() > answerBy) {
    remember()
    throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
  }
  deps.unansweredRotations.delete(sentHash)
  return { use, refreshToken }
}

async function refreshOne(deps: AuthDeps, sent: Sent): Promise<Refreshed | null> {
  const familyId = readFamilyId(sent.token)
  const family = familyId === undefined ? null : await findLiveFamily(deps.db.refreshTokens, familyId)
  if (familyId === undefined || family === null) return null

  const { userId, passwordStamp } = family
  if (!(await isFamilyKept(deps, { familyId, userId, stamp: passwordStamp }))) {
    await deps.db.refreshTokens.deleteOne({ familyId })
    return null
  }
  // The last thing asked of the database: nothing that fails after it may lose the new token.
  const { use, refreshToken } = await rotate(deps, familyId, sent)
  if (use === 'reused') deps.log.warn({ userId }, 'a refresh token was used again: its family has ended')
  if (use === null || use === 'reused') return null
  return { userId, refreshToken: use === 'rotated' ? refreshToken : undefined }
}

interface Refresh {
  refreshTokens: readonly string[]
  /** Called when the database knows that none of the tokens sent is good any more, before the refusal. */
  whenEnded: () => void
}

/**
 * Exchanges a refresh token for an access token and the next refresh token.
 * @throws DomainError UNAUTHORIZED when no token sent is good; the reuse of an older one has ended its family
 */
export async function refreshSession(deps: AuthDeps, { refreshTokens, whenEnded }: Refresh) {
  const answerBy = performance.now() + ANSWER_WITHIN_MS
  for (const token of refreshTokens) {
    const refreshed = await refreshOne(deps, { token, answerBy })
    if (refreshed === null) continue
    const { userId, refreshToken } = refreshed
    return { userId: userId.toHexString(), refreshToken, accessToken: await issueAccessToken(deps, userId) }
  }
  if (refreshTokens.length > 0) whenEnded()
  throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
}
