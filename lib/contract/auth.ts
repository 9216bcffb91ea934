import { z } from 'zod'
import { Id, IsoDate } from './ids.ts'
import * as limits from './limits.ts'
import { MESSAGES } from './messages.ts'
import { isOfOneScript } from './texts/scripts.ts'
import { text, trimmedText } from './texts/text.ts'
import { Role } from './users.ts'

/** Letters, digits and three signs, with single spaces between them. `DI` excludes invisible letters. */
const USER_NAME = new RegExp(
  `^(?!.*\\p{DI})(?=.{${limits.USER_NAME_MIN},${limits.USER_NAME_MAX}}$)[\\p{L}\\p{Nd}_.-]+(?: [\\p{L}\\p{Nd}_.-]+)*$`,
  'u',
)

const ADDRESS = new RegExp(
  `^(?=.{3,${limits.EMAIL_MAX}}$)[^\\s@\\p{C}\\p{DI}]+@[^\\s@.\\p{C}]+(?:\\.[^\\s@.\\p{C}]+)+$`,
  'u',
)

export const UserName = text(limits.USER_NAME_SENT_MAX, MESSAGES.userNameForm)
  .normalize('NFKC')
  .trim()
  .regex(USER_NAME, { error: MESSAGES.userNameForm, abort: true })
  .refine(isOfOneScript, MESSAGES.userNameScripts)

const Email = trimmedText(limits.EMAIL_MAX, MESSAGES.emailForm)
  .min(1, MESSAGES.emailForm)
  .normalize('NFC')
  .toLowerCase()

const NewPassword = text(limits.PASSWORD_MAX, MESSAGES.passwordLength)
  .normalize('NFC')
  .min(limits.PASSWORD_MIN, MESSAGES.passwordLength)

const StoredPassword = text(limits.PASSWORD_MAX, MESSAGES.passwordMissing).min(1, MESSAGES.passwordMissing)

export const SignUpBody = z.object({
  userName: UserName,
  email: Email.regex(ADDRESS, MESSAGES.emailForm),
  password: NewPassword,
})

export const LogInBody = z.object({ email: Email, password: StoredPassword })

export const ChangePasswordBody = z.object({ currentPassword: StoredPassword, newPassword: NewPassword })

/** The password proves that the user, not just the browser, deletes the account. */
export const DeleteAccountBody = z.object({ password: StoredPassword })

const LinkToken = text(limits.LINK_TOKEN_MAX, MESSAGES.linkGone).regex(/^[\w-]+$/, MESSAGES.linkGone)

/** The token of a one-time link. */
export const LinkBody = z.object({ token: LinkToken })

export const ResetBody = z.object({ token: LinkToken, password: NewPassword })

export const ResetLink = z.object({ url: z.string(), expiresAt: IsoDate })
export type ResetLink = z.infer<typeof ResetLink>

/** The live sessions of a user, the last used first. */
export const SessionList = z.object({
  results: z.array(
    z.object({
      _id: Id,
      /** For example `Firefox on Windows`. */
      device: z.string(),
      /** The address of the last use. */
      address: z.string().nullable(),
      createdAt: IsoDate,
      lastUsedAt: IsoDate,
      isCurrent: z.boolean(),
    }),
  ),
})
export type SessionList = z.infer<typeof SessionList>

/** The user of the session; the session itself is in the cookies. */
export const Session = z.object({ userId: Id })
export type Session = z.infer<typeof Session>

/** The user of the session, with the roles that it has. */
export const SessionProfile = z.object({ userId: Id, userName: z.string(), roles: z.array(Role) })
export type SessionProfile = z.infer<typeof SessionProfile>

/** The user whose session ended; null when there was none. */
export const EndedSession = z.object({ userId: Id.nullable() })
export type EndedSession = z.infer<typeof EndedSession>
