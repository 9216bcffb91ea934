import { randomBytes } from 'node:crypto'
import { ANY_CASE } from '../../infrastructure/db/collections/users.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction, userTarget } from '../staff/record-staff-action.ts'
import { hashPassword } from './passwords.ts'
import { replacePassword } from './replace-password.ts'

const PASSWORD_BYTES = 15

/** Sets a random password, ends every session of the user, and records the deployer's action. Null for an unknown user. */
export async function resetPassword(deps: StaffDeps, { userName }: { userName: string }) {
  const user = await deps.db.users.findOne({ userName }, { collation: ANY_CASE, projection: { userName: 1 } })
  if (user === null) return null

  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const passwordHash = await hashPassword(password)
  return await deps.db.transaction(async (session) => {
    const input = { filter: { _id: user._id }, passwordHash, keptFamilyId: null, session }
    if ((await replacePassword(deps.db, input)) === null) return null
    const entry = { actor: null, action: 'password-reset', target: userTarget(user) } as const
    await recordStaffAction(deps, entry, { session })
    return { userName: user.userName, password }
  })
}
