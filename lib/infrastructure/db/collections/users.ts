import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import { id, orAbsent, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

export interface UserDocument {
  _id: ObjectId
  userName: string
  email: string
  passwordHash: string
  /** The last change: a family of refresh tokens is alive when it carries this stamp, or was kept by the change. */
  passwordChange?: { stamp: ObjectId; keptFamilyId: string | null }
  /** Families of refresh tokens that ended so lately that an access token may still name one. */
  endedFamilies?: { familyId: string; at: Date }[]
  roles?: ('user' | 'admin')[]
  avatar?: string
  /** Keys of avatars that a change may have stored, or has replaced, and that are still to be deleted. */
  avatarUploads?: string[]
  description?: string
  /** The one-time link for a new password; the hash of its token is SHA-256, base64url. */
  resetLink?: { tokenHash: string; expiresAt: Date }
  royalGames?: ObjectId[]
  /** Stamped by each change of the royal list, so that one update can tell whether it was a change. */
  royalChange?: ObjectId
  createdAt: Date
  updatedAt: Date
  rev?: number
  /** Instance and socket of the last write, for the change stream only; see `events/sent-by.ts`. */
  sentBy?: string
}

/** True when stored roles make an admin. A text that another program stored holds many words and no role. */
export const isAdminBy = (roles: unknown): boolean => Array.isArray(roles) && roles.includes('admin')

/** Compares names and addresses in any case; accents still differ. */
export const ANY_CASE = { locale: 'en', strength: 2 } as const

export const users: CollectionDefinition<UserDocument> = {
  name: 'users',
  indexes: [
    { key: { userName: 1 }, name: 'userName_any_case', unique: true, collation: ANY_CASE },
    { key: { email: 1 }, name: 'email_any_case', unique: true, collation: ANY_CASE },
    {
      key: { 'resetLink.tokenHash': 1 },
      partialFilterExpression: { 'resetLink.tokenHash': { $gt: '' } },
    },
    // Finds out without reading the users whether an admin is left.
    { key: { roles: 1 }, partialFilterExpression: { roles: 'admin' } },
  ],
  lists: ['roles'],
  readable: {
    _id: id,
    userName: z.string(),
    roles: orAbsent(readableArray(z.enum(['user', 'admin']))),
    avatar: orAbsent(z.string()),
    description: orAbsent(z.string()),
    royalGames: orAbsent(readableArray(id)),
    createdAt: z.date(),
    updatedAt: z.date(),
  },
}
