import type { ObjectId } from 'mongodb'
import type { CollectionDefinition } from './collection-definition.ts'

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
  /** Outcome of the last token sent, read by the update itself. */
  lastUse?: TokenUse
  createdAt: Date
  updatedAt: Date
}

/** `rotated`: it was the good one; `repeated`: rotated within the grace; `reused`: older, and the family has ended. */
export type TokenUse = 'rotated' | 'repeated' | 'reused'

export const refreshTokens: CollectionDefinition<RefreshTokenDocument> = {
  name: 'refreshTokens',
  indexes: [
    { key: { tokenHash: 1 }, name: 'token', unique: true, partialFilterExpression: { tokenHash: { $gt: '' } } },
    { key: { familyId: 1 }, name: 'family', unique: true },
    { key: { userId: 1 } },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
}
