import type { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { REFRESH_ANSWER_MS } from '../../infrastructure/concurrency/timeouts.ts'
import type { TokenUse } from '../../infrastructure/db/collections/refresh-tokens.ts'
import type { AuthDeps } from './deps.ts'
import { REFRESH_TOKEN_SECONDS } from './lifetimes.ts'
import { findLiveFamily, type LiveFamily, refuseAccessTokens, rotateToken, type SentHash } from './token-family.ts'
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

function toSentHash({ unansweredRotations }: AuthDeps, familyId: string, token: string): SentHash {
  const sentHash = hashRefreshToken(token)
  return { familyId, sentHash, acceptedHashes: [sentHash, ...(unansweredRotations.get(sentHash) ?? [])] }
}

/** Of several tokens of one family the newest counts: a browser may still hold one of another `COOKIE_DOMAIN`. */
function findNewest(sent: readonly SentHash[], uses: readonly TokenUse[]): SentHash | undefined {
  const newest = (['rotated', 'repeated', 'reused'] as const).find((use) => uses.includes(use))
  return newest && sent[uses.indexOf(newest)]
}

/** `answerBy` is a time of `performance.now()`. */
async function rotate(deps: AuthDeps, sent: SentHash, answerBy: number) {
  const { familyId, sentHash } = sent
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

interface SentFamily {
  familyId: string
  tokens: readonly string[]
  answerBy: number
}

async function refreshOne(deps: AuthDeps, { familyId, tokens, answerBy }: SentFamily): Promise<Refreshed | null> {
  const sent = tokens.map((token) => toSentHash(deps, familyId, token))
  const family = await findLiveFamily(deps.db.refreshTokens, familyId, sent)
  const newest = family && findNewest(sent, family.uses)
  if (!newest) return null

  const { userId, uses } = family
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
  const isReused = uses.every((use) => use === 'reused')
  if (isReused) await endAccess()
  // The last thing asked of the database: nothing that fails after it may lose the new token.
  const { use, refreshToken } = await rotate(deps, newest, answerBy)
  if (use === 'reused') {
    deps.log.warn({ userId }, 'a refresh token was used again: its family has ended')
    if (!isReused) await endAccess()
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
 * @throws DomainError UNAUTHORIZED when no token sent is good; the reuse of older ones alone has ended their family
 */
export async function refreshSession(deps: AuthDeps, { refreshTokens, whenEnded }: Refresh) {
  const answerBy = performance.now() + REFRESH_ANSWER_MS
  const familyIds = new Set(refreshTokens.map(readFamilyId))
  for (const familyId of familyIds) {
    if (familyId === undefined) continue
    const tokens = refreshTokens.filter((token) => readFamilyId(token) === familyId)
    const refreshed = await refreshOne(deps, { familyId, tokens, answerBy })
    if (refreshed === null) continue
    const { userId, refreshToken } = refreshed
    return { userId: userId.toHexString(), refreshToken, accessToken: await issueAccessToken(deps, refreshed) }
  }
  if (refreshTokens.length > 0) whenEnded()
  throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
}
