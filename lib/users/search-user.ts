import { MESSAGES } from '../contract/messages.ts'
import type { UserProfile } from '../contract/users.ts'
import { ANY_CASE } from '../db/users.ts'
import type { Deps } from '../deps.ts'
import { DomainError } from '../errors.ts'
import { PROFILE_FIELDS, type StoredProfile, toUserProfile } from './to-wire.ts'

/** Finds the account of exactly this user name, in any case. Never by e-mail. @throws NOT_FOUND */
export async function searchUser({ db }: Pick<Deps, 'db'>, { userName }: { userName: string }): Promise<UserProfile> {
  const user = await db.users.findOne<StoredProfile>(
    { userName },
    { projection: PROFILE_FIELDS, collation: { ...ANY_CASE } },
  )
  if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  return toUserProfile(user)
}
