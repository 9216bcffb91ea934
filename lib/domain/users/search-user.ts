import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { ANY_CASE } from '../../infrastructure/db/collections/users.ts'
import type { UsersDeps } from './deps.ts'
import { PROFILE_FIELDS, type StoredProfile, toUserProfile } from './to-wire.ts'

const inOneCase = (name: string) => name.normalize('NFKC').trim().toUpperCase()

const isSameName = (one: string, other: string) => inOneCase(one) === inOneCase(other)

/** Finds the account of exactly this user name, in any case, and never by e-mail. @throws NOT_FOUND */
export async function searchUser(
  deps: Pick<UsersDeps, 'db' | 'storage' | 'clock'>,
  { userName }: { userName: string },
) {
  const user = await deps.db.users.findOne<StoredProfile>(
    { userName },
    { projection: PROFILE_FIELDS, collation: { ...ANY_CASE } },
  )
  // The index also treats names with invisible characters as equal.
  if (user === null || !isSameName(user.userName, userName)) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  return toUserProfile(deps, user)
}
