import type { Collection, ObjectId } from 'mongodb'
import type { CollectionFacts } from './collection-facts.ts'

/**
 * A family: one device that signed in. It is one document, so that a rotation, the discovery of a reuse and the family's
 * end are one update each and cannot undo one another.
 */
export interface RefreshTokenDocument {
  _id: ObjectId
  /** SHA-256 of the token that is good now, base64url. */
  tokenHash: string
  familyId: string
  userId: ObjectId
  expiresAt: Date
  /** Tokens sent to be rotated a moment ago, which other tabs may still send. */
  rotated: { tokenHash: string; at: Date }[]
  /** The user's `passwordChange.stamp` when the family began. */
  passwordStamp: ObjectId | null
  /** What became of the last token sent, so that one update can tell. */
  lastUse?: TokenUse
  createdAt: Date
  updatedAt: Date
}

/** `rotated`: it was the good one; `repeated`: rotated within the grace; `reused`: older, and the family has ended. */
export type TokenUse = 'rotated' | 'repeated' | 'reused'

export const refreshTokens: CollectionFacts = {
  name: 'refreshTokens',
  indexes: [
    { key: { tokenHash: 1 }, name: 'token', unique: true, partialFilterExpression: { tokenHash: { $gt: '' } } },
    // Not unique: an older release stored each token of a family as a row. Ours are random, and inserted once.
    { key: { familyId: 1 }, name: 'family' },
    { key: { userId: 1 } },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
}

type Families = Collection<RefreshTokenDocument>

const GRACE_MS = 10_000
/** More than any number of tabs rotates within the grace; it bounds the document. */
const ROTATED_KEPT = 100

/**
 * `expiresAt` alone cannot end a family: an update that had to wait still has the `$$NOW` of its beginning. Rows of an older
 * release have no `rotated`.
 */
const isAlive = {
  rotated: { $type: 'array' as const },
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

/** Finds a family that has not ended. */
export const findLiveFamily = (families: Families, familyId: string) =>
  families.findOne({ familyId, ...isAlive }, { projection: { userId: 1, passwordStamp: 1 } })

interface Rotation {
  familyId: string
  sentHash: string
  /** What the good token may be for `sentHash` to count as it. */
  acceptedHashes: readonly string[]
  nextHash: string
  lifetimeSeconds: number
}

/**
 * Rotates a token, or finds it repeated, or ends its family because of its reuse: one update, whatever else is sent at the
 * same moment. Null: the family has ended.
 */
export async function rotateToken(
  families: Families,
  { familyId, sentHash, acceptedHashes, nextHash, lifetimeSeconds }: Rotation,
): Promise<TokenUse | null> {
  const sent = { $literal: sentHash }
  const fresh = {
    $filter: { input: '$rotated', as: 'old', cond: { $gt: ['$$old.at', { $subtract: ['$$NOW', GRACE_MS] }] } },
  }
  const isGood = { $in: ['$tokenHash', { $literal: acceptedHashes }] }
  const isRepeated = { $in: [sent, { $map: { input: fresh, as: 'old', in: '$$old.tokenHash' } }] }
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
    { familyId, ...isAlive },
    [
      {
        $set: {
          lastUse: { $cond: [isGood, 'rotated', { $cond: [isRepeated, 'repeated', 'reused'] }] },
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
