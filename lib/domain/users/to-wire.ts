import type { Presets, UserProfile } from '../../contract/users.ts'
import type { PresetsDocument } from '../../infrastructure/db/collections/presets.ts'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import { id, listOf } from '../../infrastructure/db/readable-documents.ts'

export const PROFILE_FIELDS = {
  userName: 1,
  avatar: 1,
  description: 1,
  roles: 1,
  createdAt: 1,
  updatedAt: 1,
} as const satisfies Partial<Record<keyof UserDocument, 1>>

export type StoredProfile = Pick<UserDocument, '_id' | keyof typeof PROFILE_FIELDS>

export const toUserProfile = (user: StoredProfile): UserProfile => ({
  _id: user._id.toHexString(),
  userName: user.userName,
  avatar: user.avatar ?? null,
  description: user.description ?? null,
  roles: user.roles ?? ['user'],
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
})

/** Converts the presets of a user, who may have saved none yet. */
export const toPresets = (userId: string, stored: Pick<PresetsDocument, 'presets'> | null): Presets => ({
  _id: userId,
  presets: (stored?.presets ?? []).flatMap(({ name, preset }) => {
    if (typeof preset === 'string') return { name, preset }
    return Array.isArray(preset)
      ? {
          name,
          preset: listOf(id)
            .parse(preset)
            .map((gameId) => gameId.toHexString()),
        }
      : []
  }),
})
