import type { ObjectId } from 'mongodb'
import { REFRESH_ANSWER_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import type { AuthDeps } from './deps.ts'
import { REFRESH_TOKEN_SECONDS } from './lifetimes.ts'
import { findLiveFamily, type LiveFamily, refuseAccessTokens, rotateToken } from './token-family.ts'
import { createRefreshToken, hashRefreshToken, issueAccessToken, readFamilyId } from './tokens.ts'

interface Refreshed {
  userId: ObjectId
  familyId: string
  passwordStamp: ObjectId | null
  /** Undefined for a token that another tab has rotated a moment ago: the browser has the new one already. */
  refreshToken: string | undefined
}

/** The stamp of the user's password where that let the family live; undefined when it has ended. */
async function findPasswordStamp(
  { db }: AuthDeps,
  familyId: string,
  { userId, passwordStamp }: LiveFamily,
): Promise<ObjectId | null | undefined> {
  const projection = { passwordChange: 1, endedFamilies: 1 }
  const user = await db.users.findOne({ _id: userId }, { projection })
  if (user === null || user.endedFamilies?.some((ended) => ended.familyId === familyId)) return undefined
  const { stamp = null, keptFamilyId = null } = user.passwordChange ?? {}
  return String(stamp) === String(passwordStamp) || keptFamilyId === familyId ? stamp : undefined
}

interface SentToken {
  token: string
  /** A time of `performance.now()`. */
  answerBy: number
}

function toSentHash({ unansweredRotations }: AuthDeps, familyId: string, token: string) {
  const sentHash = hashRefreshToken(token)
  return { familyId, sentHash, acceptedHashes: [sentHash, ...(unansweredRotations.get(sentHash) ?? [])] }
}

async function rotate(deps: AuthDeps, familyId: string, { token, answerBy }: SentToken) {
  const sent = toSentHash(deps, familyId, token)
  const { sentHash } = sent
  const [, ...unanswered] = sent.acceptedHashes
  const refreshToken = createRefreshToken(familyId)
  const nextHash = hashRefreshToken(refreshToken)
  const remember = () => deps.unansweredRotations.set(sentHash, [...unanswered, nextHash])

  const use = await rotateToken(deps.db.refreshTokens, {
    ...sent,
    nextHash,
    lifetimeSeconds: REFRESH_TOKEN_SECONDS,
  }).catch((error: unknown) => {
    remember()
    throw error
  })
  // Only a rotated token is lost with its answer. A reuse that is found late must still end the access tokens.
  if (use === 'rotated' && performance.now() > answerBy) {
    remember()
    throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
  }
  deps.unansweredRotations.delete(sentHash)
  return { use, refreshToken }
}

async function refreshOne(deps: AuthDeps, sent: SentToken): Promise<Refreshed | null> {
  const familyId = readFamilyId(sent.token)
  if (familyId === undefined) return null
  const family = await findLiveFamily(deps.db.refreshTokens, toSentHash(deps, familyId, sent.token))
  if (family === null) return null

  const { userId } = family
  const passwordStamp = await findPasswordStamp(deps, familyId, family)
  if (passwordStamp === undefined) {
    await deps.db.refreshTokens.deleteOne({ familyId })
    return null
  }
  const endAccess = async () => {
    await refuseAccessTokens(deps.db, { userId, familyIds: [familyId] })
    deps.sessionUsers.drop(userId.toHexString())
    await deps.failpoint('refresh:reused')
  }
  // Before the family ends: a kill in between must not leave the access tokens good.
  if (family.isReused) await endAccess()
  // The last thing asked of the database: nothing that fails after it may lose the new token.
  const { use, refreshToken } = await rotate(deps, familyId, sent)
  if (use === 'reused') {
    deps.log.warn({ userId }, 'a refresh token was used again: its family has ended')
    if (!family.isReused) await endAccess()
  }
  if (use === null || use === 'reused') return null
  return { userId, familyId, passwordStamp, refreshToken: use === 'rotated' ? refreshToken : undefined }
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
  const answerBy = performance.now() + REFRESH_ANSWER_MS
  for (const token of refreshTokens) {
    const refreshed = await refreshOne(deps, { token, answerBy })
    if (refreshed === null) continue
    const { userId, refreshToken } = refreshed
    return { userId: userId.toHexString(), refreshToken, accessToken: await issueAccessToken(deps, refreshed) }
  }
  if (refreshTokens.length > 0) whenEnded()
  throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
}
