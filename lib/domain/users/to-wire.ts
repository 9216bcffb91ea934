import type { UserProfile } from '../../contract/users.ts'
import { isAdminAt, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { UsersDeps } from './deps.ts'

export const PROFILE_FIELDS = { userName: 1, avatar: 1, description: 1, roles: 1, site: 1, createdAt: 1, updatedAt: 1 }

export type StoredProfile = Pick<UserDocument, '_id' | keyof typeof PROFILE_FIELDS>

export const toUserProfile = (
  { storage, clock }: Pick<UsersDeps, 'storage' | 'clock'>,
  user: StoredProfile,
): UserProfile => ({
  _id: user._id.toHexString(),
  userName: user.userName,
  avatar: user.avatar === undefined ? null : storage.addressOf(user.avatar),
  description: user.description ?? null,
  roles: isAdminAt(clock(), user) ? ['user', 'admin'] : ['user'],
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
})
