import { z } from 'zod'
import { Id } from './ids.ts'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, USER_NAME_MAX, USER_NAME_MIN } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { isOfOneScript } from './scripts.ts'
import { Role } from './users.ts'

const USER_NAME = new RegExp(
  `^(?=.{${USER_NAME_MIN},${USER_NAME_MAX}}$)[\\p{L}\\p{Nd}_.-]+(?: [\\p{L}\\p{Nd}_.-]+)*$`,
  'u',
)

const ADDRESS = new RegExp(`^(?=.{3,${EMAIL_MAX}}$)[^\\s@\\p{C}]+@[^\\s@.\\p{C}]+(?:\\.[^\\s@.\\p{C}]+)+$`, 'u')

/** Counted in characters of a person, not in the units that a string stores. */
const isPasswordLong = (password: string) => {
  if (password.length > 2 * PASSWORD_MAX) return false
  const { length } = [...password]
  return PASSWORD_MIN <= length && length <= PASSWORD_MAX
}

const UserName = z
  .string({ error: MESSAGES.userNameForm })
  .normalize('NFKC')
  .trim()
  .regex(USER_NAME, MESSAGES.userNameForm)
  .refine(isOfOneScript, MESSAGES.userNameScripts)

const Email = z.string({ error: MESSAGES.emailForm }).trim().normalize('NFC').toLowerCase()

const NewPassword = z
  .string({ error: MESSAGES.passwordLength })
  .refine(isPasswordLong, MESSAGES.passwordLength)
  .meta({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

/** A name chosen before, under the rules of its time. */
const StoredPassword = z.string({ error: MESSAGES.passwordMissing }).min(1, MESSAGES.passwordMissing)

export const SignUpBody = z
  .object({ userName: UserName, email: Email.regex(ADDRESS, MESSAGES.emailForm), password: NewPassword })
  .meta({ id: 'SignUpBody' })

export const LogInBody = z
  .object({
    email: Email.min(1, MESSAGES.emailForm).max(EMAIL_MAX, MESSAGES.emailForm),
    password: StoredPassword,
  })
  .meta({ id: 'LogInBody' })

export const ChangePasswordBody = z
  .object({ currentPassword: StoredPassword, newPassword: NewPassword })
  .meta({ id: 'ChangePasswordBody' })

/** Whose session it is; the session itself is in the cookies. */
export const Session = z.object({ userId: Id }).meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** Whose session it is, and the roles it is admitted with. */
export const SessionProfile = z
  .object({ userId: Id, userName: z.string(), roles: z.array(Role) })
  .meta({ id: 'SessionProfile' })
export type SessionProfile = z.infer<typeof SessionProfile>

/** Whose session ended; null when there was none. */
export const EndedSession = z.object({ userId: Id.nullable() }).meta({ id: 'EndedSession' })
export type EndedSession = z.infer<typeof EndedSession>
