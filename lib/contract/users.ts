import { z } from 'zod'
import { Id, IsoDate } from './ids.ts'
import * as limits from './limits.ts'
import { MESSAGES } from './messages.ts'
import { Link, text, trimmedText } from './texts/text.ts'
import { isAllVisible, isVisible } from './texts/visible-text.ts'

export const Role = z.enum(['user', 'admin'])
export type Role = z.infer<typeof Role>

export const UserProfile = z.object({
  _id: Id,
  userName: z.string(),
  avatar: z.string().nullable(),
  description: z.string().nullable(),
  roles: z.array(Role),
  createdAt: IsoDate,
  updatedAt: IsoDate,
})
export type UserProfile = z.infer<typeof UserProfile>

/** Null removes a value, and an empty text the description. The image at the avatar's link is copied. */
export const ChangeProfileBody = z
  .object({
    description: trimmedText(limits.DESCRIPTION_MAX)
      .refine((description) => description === '' || isVisible(description), MESSAGES.textUnseen)
      .nullable()
      .optional(),
    avatar: Link.nullable().optional(),
  })
  .refine(({ description, avatar }) => description !== undefined || avatar !== undefined, MESSAGES.profileEmpty)
export type ChangeProfileBody = z.output<typeof ChangeProfileBody>

/** A comment in the export of its author. */
export const ExportedComment = z.object({
  _id: Id,
  gameId: Id,
  parentId: Id.nullable(),
  replyToId: Id.nullable(),
  body: z.string(),
  isSpoiler: z.boolean(),
  status: z.string(),
  likesCount: z.int(),
  repliesCount: z.int(),
  createdAt: IsoDate,
  updatedAt: IsoDate,
})

/** The full user name, in any case. */
export const UserSearchQuery = z.object({
  searchString: text(limits.USER_NAME_SENT_MAX, MESSAGES.userNameMissing)
    .normalize('NFKC')
    .trim()
    .min(1, MESSAGES.userNameMissing),
})

/** The id of an account, or the id of its user at the site. */
export const AccountIdParams = z.object({ id: text(limits.SITE_USER_ID_MAX).min(1) })

export const UserIdParams = z.object({ userId: Id })

const PresetName = text(limits.PRESET_NAME_MAX, MESSAGES.presetName)
  .min(1, { error: MESSAGES.presetName, abort: true })
  .normalize('NFC')
  .refine(isAllVisible, MESSAGES.presetName)

const isWithinBytes = (preset: string) => new TextEncoder().encode(preset).length <= limits.PRESET_MAX_BYTES

const PresetText = text(limits.PRESET_MAX_BYTES, MESSAGES.presetTooLarge).refine(isWithinBytes, MESSAGES.presetTooLarge)
const PresetGames = z.array(Id).max(limits.PRESET_GAMES_LIMIT, MESSAGES.presetForm)

/** A text of the SPA, bounded in bytes of UTF-8, or a list of game ids, as in `royal:set`. */
const Preset = z.union([PresetText, PresetGames], {
  error: ({ input }) => (typeof input === 'string' ? MESSAGES.presetTooLarge : MESSAGES.presetForm),
})
export type Preset = z.infer<typeof Preset>

export const PutPresetBody = z.object({ name: PresetName, preset: Preset })

export const DeletePresetQuery = z.object({ name: PresetName })

/** The presets of a user, in the order in which they were first saved. `_id` is the user's. */
export const Presets = z.object({
  _id: Id,
  presets: z.array(z.object({ name: z.string(), preset: z.union([z.string(), z.array(Id)]) })),
})
export type Presets = z.infer<typeof Presets>
