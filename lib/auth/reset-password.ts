import { randomInt } from 'node:crypto'
import { ANY_CASE } from '../db/collections/users.ts'
import type { Database } from '../db/connect.ts'
import { hashPassword } from './passwords.ts'
import { replacePassword } from './replace-password.ts'

/** Without letters and digits that look like others. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 5
const GROUP_LENGTH = 4

const createGroup = () => Array.from({ length: GROUP_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')

/**
 * Gives a user a new random password and ends every session of the user. Answers the name as it is stored and the
 * password, null when there is no such user.
 */
export async function resetPassword(
  db: Database,
  { userName }: { userName: string },
): Promise<{ userName: string; password: string } | null> {
  const user = await db.users.findOne({ userName }, { collation: ANY_CASE, projection: { userName: 1 } })
  if (user === null) return null

  const password = Array.from({ length: GROUPS }, createGroup).join('-')
  const passwordHash = await hashPassword(password)
  const isReplaced = await replacePassword(db, { filter: { _id: user._id }, passwordHash, keptFamilyId: null })
  return isReplaced ? { userName: user.userName, password } : null
}
