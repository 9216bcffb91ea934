import type { Collection, ObjectId } from 'mongodb'
import { REFRESH_GRACE_MS } from '#lib/infrastructure/concurrency/timeouts'
import type { RefreshTokenDocument } from '#lib/infrastructure/db/collections/refresh-tokens'
import type { Database } from '#lib/infrastructure/db/connect'
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from './tokens.ts'

type Families = Collection<RefreshTokenDocument>

/** Bounds the document: no browser rotates as many tokens within the grace. */
const ROTATED_MAX = 100

const isAlive = { $expr: { $gt: ['$expiresAt', '$$NOW'] } }
const expiresAt = { $add: ['$$NOW', REFRESH_TOKEN_SECONDS * 1_000] }

export interface SessionClient {
  device: string | null
  address: string
}

const literal = ({ device, address }: SessionClient) => ({
  device: { $literal: device },
  address: { $literal: address },
})

type NewFamily = Pick<RefreshTokenDocument, 'familyId' | 'tokenHash' | 'userId' | 'passwordStamp'> & {
  client: SessionClient
}

/** Stores a family, with the times of the database's clock. */
export async function insertFamily(
  families: Families,
  { familyId, tokenHash, userId, passwordStamp, client }: NewFamily,
): Promise<void> {
  const times = { expiresAt, createdAt: '$$NOW', updatedAt: '$$NOW' }
  const family = {
    tokenHash: { $literal: tokenHash },
    userId,
    passwordStamp,
    rotated: [],
    ...literal(client),
    ...times,
  }
  await families.updateOne({ familyId }, [{ $set: family }], { upsert: true })
}

/** A token that a browser sends, by its hash. */
export interface SentToken {
  sentHash: string
  /** Its own hash, and those of tokens that replaced it without an answer: each counts as the current token. */
  acceptedHashes: readonly string[]
}

export type LiveFamily = Pick<RefreshTokenDocument, 'userId' | 'passwordStamp' | 'tokenHash' | 'rotated'> & {
  /** The time of the database's clock. */
  now: Date
}

export async function findLiveFamily(families: Families, familyId: string): Promise<LiveFamily | null> {
  const projection = { userId: 1, passwordStamp: 1, tokenHash: 1, rotated: 1, now: '$$NOW' }
  return await families.findOne<LiveFamily>({ familyId, ...isAlive }, { projection })
}

interface Rotation extends SentToken {
  familyId: string
  nextHash: string
  client: SessionClient
}

/** Replaces the current token of a family. False when it is not current any more, or the family has ended. */
export async function rotateToken(
  families: Families,
  { familyId, sentHash, acceptedHashes, nextHash, client }: Rotation,
): Promise<boolean> {
  const sent = { $literal: sentHash }
  const isRecent = { $gt: ['$$this.at', { $subtract: ['$$NOW', REFRESH_GRACE_MS] }] }
  const isOther = { $ne: ['$$this.tokenHash', sent] }
  const others = { $filter: { input: '$rotated', cond: { $and: [isRecent, isOther] } } }
  const rotated = { $concatArrays: [{ $slice: [others, 1 - ROTATED_MAX] }, [{ tokenHash: sent, at: '$$NOW' }]] }
  const next = { tokenHash: { $literal: nextHash }, rotated, ...literal(client), expiresAt, updatedAt: '$$NOW' }
  const filter = { familyId, tokenHash: { $in: [...acceptedHashes] }, ...isAlive }
  const { matchedCount } = await families.updateOne(filter, [{ $set: next }])
  return matchedCount === 1
}

/** The lifetime of access tokens, and a minute more because clocks differ. */
const ENDED_MAX_MS = (ACCESS_TOKEN_SECONDS + 60) * 1000
/** Bounds the user document. Only a person who has the password can end as many families. */
const ENDED_MAX = 200
const FAMILIES_MAX = 50

interface FamilyEnd {
  userId: ObjectId
  familyIds: readonly string[]
}

/** Refuses the access tokens of some families from now on, on every instance: each request reads the user. */
export async function refuseAccessTokens({ users }: Pick<Database, 'users'>, { userId, familyIds }: FamilyEnd) {
  const isRecent = { $gt: ['$$this.at', { $subtract: ['$$NOW', ENDED_MAX_MS] }] }
  const recent = { $filter: { input: { $ifNull: ['$endedFamilies', []] }, cond: isRecent } }
  const ended = familyIds.map((familyId) => ({ familyId: { $literal: familyId }, at: '$$NOW' }))
  const endedFamilies = { $slice: [{ $concatArrays: [recent, ended] }, -ENDED_MAX] }
  await users.updateOne({ _id: userId }, [{ $set: { endedFamilies } }])
}

/** Ends families of one user. Their access tokens end first: a kill in between must not leave them valid. */
export async function endFamilies(db: Pick<Database, 'users' | 'refreshTokens'>, end: FamilyEnd): Promise<void> {
  if (end.familyIds.length === 0) return
  await refuseAccessTokens(db, end)
  await db.refreshTokens.deleteMany({ familyId: { $in: [...end.familyIds] }, userId: end.userId })
}

/** Ends all but the newest families of a user. */
export async function endOldFamilies(db: Pick<Database, 'users' | 'refreshTokens'>, userId: ObjectId): Promise<void> {
  const newestFirst = { createdAt: -1, _id: -1 } as const
  const old = await db.refreshTokens
    .find({ userId }, { projection: { familyId: 1 }, sort: newestFirst, skip: FAMILIES_MAX })
    .toArray()
  await endFamilies(db, { userId, familyIds: old.map(({ familyId }) => familyId) })
}
