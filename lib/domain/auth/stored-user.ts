import type { ObjectId } from 'mongodb'
import { isAdminAt, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { ExactCache } from '../../infrastructure/events/exact-cache.ts'
import type { Feed } from '../../infrastructure/events/feed.ts'

const MAX_BYTES = 16 * 1024 * 1024

export const SESSION_FIELDS = {
  userName: 1,
  roles: 1,
  passwordChange: 1,
  endedFamilies: 1,
  externalId: 1,
  siteEmail: 1,
  avatar: 1,
  site: 1,
  createdAt: 1,
  suspension: 1,
}

/** The fields of a user that check a session. */
export type StoredUser = Pick<UserDocument, '_id' | keyof typeof SESSION_FIELDS>

export type SessionUserCache = ExactCache<{ user: StoredUser | null }>

export const createSessionUserCache = ({ createCache }: Pick<Feed, 'createCache'>): SessionUserCache =>
  createCache({ maxBytes: MAX_BYTES, sizeOf: () => 1_000 })

/** Reads a user, usually from a cache. An admin is always read from the database, and with `isFresh` everybody is. */
export async function readStoredUser(
  { db, sessionUsers, clock }: { db: Database; sessionUsers: SessionUserCache; clock: () => Date },
  _id: ObjectId,
  { isFresh }: { isFresh: boolean },
): Promise<StoredUser | null> {
  const load = async () => ({ user: await db.users.findOne<StoredUser>({ _id }, { projection: SESSION_FIELDS }) })
  if (isFresh) return (await load()).user
  const { user } = await sessionUsers.read(_id.toHexString(), load)
  return user !== null && isAdminAt(clock(), user) ? (await load()).user : user
}
