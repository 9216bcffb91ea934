import type { Filter, ObjectId } from 'mongodb'
import { z } from 'zod'
import { listIn } from '../expressions.ts'
import { id, orAbsent, type ReadBy, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

/** The latest facts about a user in tokens of the site. Times of tokens are Unix seconds. */
interface SiteState {
  /** As the site spells it, which may differ from the stored one. */
  userName?: string
  issuedAt?: number
  changedAt?: Date
  roleIssuedAt?: number
  roleUntil?: Date
  /** The deletion of an earlier account of this user, whose tokens are void. */
  deletedAt?: Date
}

export interface Suspension {
  /** Null for good. */
  until: Date | null
  reason: string
  at: Date
  by: ObjectId
}

const readable = {
  _id: id,
  userName: z.string(),
  roles: orAbsent(readableArray(z.enum(['user', 'admin']))),
  avatar: orAbsent(z.string()),
  description: orAbsent(z.string()),
  royalGames: orAbsent(readableArray(id)),
  createdAt: z.date().catch(new Date(0)),
  updatedAt: z.date(),
}

export interface UserDocument extends ReadBy<typeof readable> {
  /** Users of the site have neither address nor password here. */
  email?: string
  passwordHash?: string
  /** The id at the site, where that is no object id: `_id` follows from it. */
  externalId?: string
  /** The address at the site, which nothing shows and which need not be unique. */
  siteEmail?: string
  site?: SiteState
  /** The last change: a family of refresh tokens is alive when it carries this stamp, or was kept by the change. */
  passwordChange?: { stamp: ObjectId; keptFamilyId: string | null }
  /** Families of refresh tokens that ended so lately that an access token may still name one. */
  endedFamilies?: { familyId: string; at: Date }[]
  /** Keys of avatars that a change may have stored, or has replaced, and that are still to be deleted. */
  avatarUploads?: string[]
  suspension?: Suspension
  /** The one-time link for a new password; the hash of its token is SHA-256, base64url. */
  resetLink?: { tokenHash: string; expiresAt: Date }
  rev?: number
  sentBy?: string
}

/** True when stored roles include that of admins. Another program may have stored a text, which is no list of roles. */
export const isAdminBy = (roles: unknown): boolean => Array.isArray(roles) && roles.includes('admin')

/** True while a user has the role of admins, which ends with the token of the site that gave it. */
export const isAdminAt = (now: Date, { roles, site }: Pick<UserDocument, 'roles' | 'site'>): boolean =>
  isAdminBy(roles) && (site?.roleUntil === undefined || now < site.roleUntil)

const OTHER_ROLES = { $filter: { input: listIn('$roles'), cond: { $not: [{ $in: ['$$this', ['user', 'admin']] }] } } }
/** Expression of the stored roles with that of admins, for updates by a pipeline. */
export const GRANTED_ROLES = { $concatArrays: [['user', 'admin'], OTHER_ROLES] }
export const REVOKED_ROLES = { $filter: { input: listIn('$roles'), cond: { $ne: ['$$this', 'admin'] } } }

export const adminsAt = (now: Date) => ({ roles: 'admin' as const, 'site.roleUntil': { $not: { $lte: now } } })

/** Returns the suspension of a user that has not ended. Admins have none. */
export const suspensionAt = (
  now: Date,
  { suspension, ...user }: Pick<UserDocument, 'roles' | 'site' | 'suspension'>,
): Suspension | null =>
  suspension === undefined || isAdminAt(now, user) || (suspension.until !== null && now >= suspension.until)
    ? null
    : suspension

export const unsuspendedAt = (now: Date): Filter<UserDocument> => ({
  $or: [{ suspension: { $exists: false } }, { 'suspension.until': { $lte: now } }, adminsAt(now)],
})

/** Compares names and addresses in any case; accents still differ. */
export const ANY_CASE = { locale: 'en', strength: 2 } as const

export const users: CollectionDefinition<UserDocument> = {
  name: 'users',
  indexes: [
    { key: { userName: 1 }, name: 'userName_any_case', unique: true, collation: ANY_CASE },
    {
      key: { email: 1 },
      name: 'email_any_case',
      unique: true,
      collation: ANY_CASE,
      partialFilterExpression: { email: { $exists: true } },
    },
    { key: { externalId: 1 }, unique: true, partialFilterExpression: { externalId: { $exists: true } } },
    { key: { 'resetLink.tokenHash': 1 }, partialFilterExpression: { 'resetLink.tokenHash': { $gt: '' } } },
    // Finds out without reading the users whether an admin is left.
    { key: { roles: 1 }, partialFilterExpression: { roles: 'admin' } },
  ],
  lists: ['roles'],
  readable,
}
