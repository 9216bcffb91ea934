import { type ClientSession, type Filter, ObjectId } from 'mongodb'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { Database } from '../../infrastructure/db/connect.ts'

interface ReplacePasswordInput {
  filter: Filter<UserDocument> & { _id: ObjectId }
  /** Absent when only the sessions end, and the password stays. */
  passwordHash?: string
  keptFamilyId: string | null
  session?: ClientSession
}

/**
 * Stores a new password and ends every family of the user except the kept one. A family that starts meanwhile with the old
 * password has another stamp, and is refused.
 */
export async function replacePassword(
  { users, refreshTokens }: Database,
  { filter, passwordHash, keptFamilyId, session }: ReplacePasswordInput,
): Promise<ObjectId | null> {
  const stamp = new ObjectId()
  const options = session && { session }
  const passwordChange = { stamp, keptFamilyId }
  const change =
    passwordHash === undefined
      ? { $set: { passwordChange } }
      : { $set: { passwordHash, passwordChange }, $unset: { resetLink: true as const } }
  const { matchedCount } = await users.updateOne(filter, { ...change, $currentDate: { updatedAt: true } }, options)
  if (matchedCount === 0) return null

  const ended = { userId: filter._id, passwordStamp: { $ne: stamp } }
  const others = keptFamilyId === null ? ended : { ...ended, familyId: { $ne: keptFamilyId } }
  await refreshTokens.deleteMany(others, options)
  return stamp
}
