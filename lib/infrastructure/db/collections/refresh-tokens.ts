import type { ObjectId } from 'mongodb'
import type { CollectionDefinition } from './collection-definition.ts'

/** A device that signed in. The whole family of tokens is one document, so that a rotation and the family's end are one command each. */
export interface RefreshTokenDocument {
  _id: ObjectId
  /** SHA-256 of the current token, base64url. */
  tokenHash: string
  familyId: string
  userId: ObjectId
  expiresAt: Date
  /** Tokens that were rotated within the grace, which other tabs may still send. */
  rotated: { tokenHash: string; at: Date }[]
  /** The user's `passwordChange.stamp` when the family began. */
  passwordStamp: ObjectId | null
  device?: string | null
  address?: string
  createdAt: Date
  updatedAt: Date
}

export const refreshTokens: CollectionDefinition<RefreshTokenDocument> = {
  name: 'refreshTokens',
  indexes: [
    { key: { tokenHash: 1 }, name: 'token', unique: true, partialFilterExpression: { tokenHash: { $gt: '' } } },
    { key: { familyId: 1 }, name: 'family', unique: true },
    { key: { userId: 1 } },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  isTransient: true,
}
