import type { Collection, ObjectId } from 'mongodb'
import { REFRESH_GRACE_MS } from '../../infrastructure/concurrency/timeouts.ts'
import type { RefreshTokenDocument, TokenUse } from '../../infrastructure/db/collections/refresh-tokens.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { ACCESS_TOKEN_SECONDS } from './lifetimes.ts'

type Families = Collection<RefreshTokenDocument>

/** More than any number of tabs rotates within the grace; it bounds the document. */
const ROTATED_KEPT = 100

/** `expiresAt` alone cannot end a family: an update that had to wait still has the `$$NOW` of its beginning. */
const isAlive = {
  lastUse: { $ne: 'reused' as const },
  $expr: { $gt: ['$expiresAt', '$$NOW'] },
}
const after = (seconds: number) => ({ $add: ['$$NOW', seconds * 1000] })

interface NewFamily {
  familyId: string
  tokenHash: string
  userId: ObjectId
  passwordStamp: ObjectId | null
  lifetimeSeconds: number
}

/** Stores a family, its times by the database's clock. */
export async function insertFamily(
  families: Families,
  { familyId, tokenHash, userId, passwordStamp, lifetimeSeconds }: NewFamily,
): Promise<void> {
  const times = { expiresAt: after(lifetimeSeconds), createdAt: '$$NOW', updatedAt: '$$NOW' }
  await families.updateOne(
    { familyId },
    [{ $set: { tokenHash: { $literal: tokenHash }, userId, passwordStamp, rotated: [], ...times } }],
    { upsert: true },
  )
}

export interface SentHash {
  familyId: string
  sentHash: string
  /** Hashes of the good token for which `sentHash` counts as it. */
  acceptedHashes: readonly string[]
}

export interface LiveFamily {
  userId: ObjectId
  passwordStamp: ObjectId | null
  /** What a rotation would find each of the tokens sent to be. */
  uses: TokenUse[]
}

const fresh = {
  $filter: { input: '$rotated', as: 'old', cond: { $gt: ['$$old.at', { $subtract: ['$$NOW', REFRESH_GRACE_MS] }] } },
}
const isGood = ({ acceptedHashes }: SentHash) => ({ $in: ['$tokenHash', { $literal: acceptedHashes }] })
const isRepeated = ({ sentHash }: SentHash) => ({
  $in: [{ $literal: sentHash }, { $map: { input: fresh, as: 'old', in: '$$old.tokenHash' } }],
})

const useOf = (sent: SentHash) => ({
  $cond: [isGood(sent), 'rotated', { $cond: [isRepeated(sent), 'repeated', 'reused'] }],
})

/** Finds a family of which tokens were sent; null when it has ended. */
export async function findLiveFamily(
  families: Families,
  familyId: string,
  sent: readonly SentHash[],
): Promise<LiveFamily | null> {
  return await families.findOne<LiveFamily>(
    { familyId, ...isAlive },
    { projection: { userId: 1, passwordStamp: 1, uses: sent.map(useOf) } },
  )
}

interface Rotation extends SentHash {
  nextHash: string
  lifetimeSeconds: number
}

/**
 * Rotates a token, or finds it repeated, or ends its family because of its reuse: one update, whatever else is sent at the
 * same moment. Null: the family has ended.
 */
export async function rotateToken(
  families: Families,
  { nextHash, lifetimeSeconds, ...token }: Rotation,
): Promise<TokenUse | null> {
  const sent = { $literal: token.sentHash }
  const others = { $filter: { input: fresh, as: 'old', cond: { $ne: ['$$old.tokenHash', sent] } } }
  const rotated = { $concatArrays: [{ $slice: [others, 1 - ROTATED_KEPT] }, [{ tokenHash: sent, at: '$$NOW' }]] }
  const byUse = ({ rotated, repeated, reused }: Record<TokenUse, unknown>) => ({
    $cond: [
      { $eq: ['$lastUse', 'rotated'] },
      rotated,
      { $cond: [{ $eq: ['$lastUse', 'repeated'] }, repeated, reused] },
    ],
  })

  const family = await families.findOneAndUpdate(
    { familyId: token.familyId, ...isAlive },
    [
      {
        $set: {
          lastUse: useOf(token),
          updatedAt: '$$NOW',
        },
      },
      {
        $set: {
          tokenHash: byUse({ rotated: { $literal: nextHash }, repeated: '$tokenHash', reused: '$tokenHash' }),
          rotated: byUse({ rotated, repeated: '$rotated', reused: [] }),
          expiresAt: byUse({ rotated: after(lifetimeSeconds), repeated: '$expiresAt', reused: '$$NOW' }),
        },
      },
    ],
    { returnDocument: 'after', projection: { lastUse: 1 } },
  )
  return family?.lastUse ?? null
}

/** An access token may be good for that long after its family has ended; a minute more, since clocks differ. */
const ENDED_KEPT_MS = (ACCESS_TOKEN_SECONDS + 60) * 1000
/** Bounds the user document; only somebody who knows the password can end so many families. */
const ENDED_KEPT = 200
const FAMILIES_KEPT = 50

interface FamilyEnd {
  userId: ObjectId
  familyIds: readonly string[]
}

/** Ends access tokens of some families at once, on every instance: the user is read with each request. */
export async function refuseAccessTokens({ users }: Pick<Database, 'users'>, { userId, familyIds }: FamilyEnd) {
  const recent = {
    $filter: {
      input: { $ifNull: ['$endedFamilies', []] },
      as: 'old',
      cond: { $gt: ['$$old.at', { $subtract: ['$$NOW', ENDED_KEPT_MS] }] },
    },
  }
  const ended = familyIds.map((familyId) => ({ familyId: { $literal: familyId }, at: '$$NOW' }))
  await users.updateOne({ _id: userId }, [
    { $set: { endedFamilies: { $slice: [{ $concatArrays: [recent, ended] }, -ENDED_KEPT] } } },
  ])
}

/** Ends families of one user. The access tokens go first: a kill in between must not leave them good. */
export async function endFamilies(db: Pick<Database, 'users' | 'refreshTokens'>, end: FamilyEnd): Promise<void> {
  if (end.familyIds.length === 0) return
  await refuseAccessTokens(db, end)
  await db.refreshTokens.deleteMany({ familyId: { $in: [...end.familyIds] }, userId: end.userId })
}

/** Ends all but the newest families of a user. */
export async function endOldFamilies(db: Pick<Database, 'users' | 'refreshTokens'>, userId: ObjectId): Promise<void> {
  const newestFirst = { createdAt: -1, _id: -1 } as const
  const old = await db.refreshTokens
    .find({ userId }, { projection: { familyId: 1 }, sort: newestFirst, skip: FAMILIES_KEPT })
    .toArray()
  await endFamilies(db, { userId, familyIds: old.map(({ familyId }) => familyId) })
}
