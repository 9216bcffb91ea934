import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { UserProfile } from '../../contract/users.ts'
import type { UsersDeps } from './deps.ts'
import { PROFILE_FIELDS, type StoredProfile, toUserProfile } from './to-wire.ts'

/** Reads the public profile of an account. @throws NOT_FOUND */
export async function findUser(
  deps: Pick<UsersDeps, 'db' | 'storage' | 'clock'>,
  { userId }: { userId: string },
): Promise<UserProfile> {
  const user = await deps.db.users.findOne<StoredProfile>({ _id: new ObjectId(userId) }, { projection: PROFILE_FIELDS })
  if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  return toUserProfile(deps, user)
}
