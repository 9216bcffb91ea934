import { z } from 'zod'
import { Id, IsoDate } from './ids.ts'
import { PRESET_MAX_BYTES, PRESET_NAME_MAX, USER_SEARCH_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'

export const Role = z.enum(['user', 'admin'])
export type Role = z.infer<typeof Role>

/** What anybody may know of an account. */
export const UserProfile = z
  .object({
    _id: Id,
    userName: z.string(),
    avatar: z.string().nullable(),
    description: z.string().nullable(),
    roles: z.array(Role),
    createdAt: IsoDate,
    updatedAt: IsoDate,
  })
  .meta({ id: 'UserProfile' })
export type UserProfile = z.infer<typeof UserProfile>

/** The whole user name, in any case. */
export const UserSearchQuery = z.object({
  searchString: z
    .string(MESSAGES.userNameMissing)
    .max(USER_SEARCH_MAX, MESSAGES.userNameMissing)
    .normalize('NFKC')
    .trim()
    .min(1, MESSAGES.userNameMissing),
})

export const UserIdParams = z.object({ userId: Id })

const PresetName = z.string(MESSAGES.presetName).min(1, MESSAGES.presetName).max(PRESET_NAME_MAX, MESSAGES.presetName)

const isWithinBytes = (text: string) =>
  text.length <= PRESET_MAX_BYTES && new TextEncoder().encode(text).length <= PRESET_MAX_BYTES

/** `preset` is the SPA's own text; its size is counted in bytes of UTF-8. */
export const PutPresetBody = z
  .object({
    name: PresetName,
    preset: z.string().refine(isWithinBytes, MESSAGES.presetTooLarge).meta({ maxLength: PRESET_MAX_BYTES }),
  })
  .meta({ id: 'PutPresetBody' })

export const DeletePresetQuery = z.object({ name: PresetName })

/** The presets of a user, whose id it bears, in the order they were first saved. */
export const Presets = z
  .object({ _id: Id, presets: z.array(z.object({ name: z.string(), preset: z.string() })) })
  .meta({ id: 'Presets' })
export type Presets = z.infer<typeof Presets>
