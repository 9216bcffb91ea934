import { type ClientSession, type Filter, ObjectId } from 'mongodb'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { Database } from '../../infrastructure/db/connect.ts'

interface ReplacePasswordInput {
  filter: Filter<UserDocument> & { _id: ObjectId }
  /** None to end the sessions and leave the password. */
  passwordHash?: string
  keptFamilyId: string | null
  session?: ClientSession
}

/** Stores a password, if any, and ends every family of the user but the kept one, also those that start meanwhile. */
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
