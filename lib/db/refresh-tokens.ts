import type { ObjectId } from 'mongodb'
import type { CollectionFacts } from './collection-facts.ts'

/** One document per family (a device that signed in), so that a rotation and the family's end are one update each. */
export interface RefreshTokenDocument {
  _id: ObjectId
  /** SHA-256 of the token that is good now, base64url. */
  tokenHash: string
  familyId: string
  userId: ObjectId
  expiresAt: Date
  /** Tokens rotated a moment ago, which other tabs may still send. */
  rotated: { tokenHash: string; at: Date }[]
  createdAt: Date
  updatedAt: Date
}

export const refreshTokens: CollectionFacts = {
  name: 'refreshTokens',
  indexes: [
    { key: { tokenHash: 1 }, unique: true },
    { key: { familyId: 1 }, unique: true },
    { key: { userId: 1 } },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
}
