import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { UserProfile } from '../../contract/users.ts'
import { ANY_CASE, isAdminAt, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import type { UsersDeps } from './deps.ts'

type Deps = Pick<UsersDeps, 'db' | 'storage' | 'clock'>

export const PROFILE_FIELDS = { userName: 1, avatar: 1, description: 1, roles: 1, site: 1, createdAt: 1, updatedAt: 1 }

type StoredProfile = Pick<UserDocument, '_id' | keyof typeof PROFILE_FIELDS>

export const toUserProfile = (
  { storage, clock }: Pick<UsersDeps, 'storage' | 'clock'>,
  user: StoredProfile,
): UserProfile =>
  toContract(UserProfile, {
    ...user,
    avatar: user.avatar && storage.addressOf(user.avatar),
    roles: isAdminAt(clock(), user) ? ['user', 'admin'] : ['user'],
  })

/** Reads the public profile of an account. @throws NOT_FOUND */
export async function findUser(deps: Deps, { userId }: { userId: string }): Promise<UserProfile> {
  const user = await deps.db.users.findOne<StoredProfile>({ _id: new ObjectId(userId) }, { projection: PROFILE_FIELDS })
  if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  return toUserProfile(deps, user)
}

const inOneCase = (name: string) => name.normalize('NFKC').trim().toUpperCase()

/** Finds the account of exactly this user name, in any case, and never by e-mail. @throws NOT_FOUND */
export async function searchUser(deps: Deps, { userName }: { userName: string }) {
  const options = { projection: PROFILE_FIELDS, collation: ANY_CASE }
  const user = await deps.db.users.findOne<StoredProfile>({ userName }, options)
  // The index also treats names with invisible characters as equal.
  if (user === null || inOneCase(user.userName) !== inOneCase(userName))
    throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  return toUserProfile(deps, user)
}
