import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
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

export type StoredSessionUser = Pick<UserDocument, '_id' | keyof typeof SESSION_FIELDS>

export type SessionUserCache = ExactCache<{ user: StoredSessionUser | null }>

export const createSessionUserCache = ({ createCache }: Pick<Feed, 'createCache'>): SessionUserCache =>
  createCache({ maxBytes: MAX_BYTES, sizeOf: () => 1_000 })
