import type { ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES, UserName } from '../../contract/index.ts'
import {
  GRANTED_ROLES,
  REVOKED_ROLES,
  suspensionAt,
  type UserDocument,
} from '../../infrastructure/db/collections/users.ts'
import { isDuplicateKey } from '../../infrastructure/db/duplicate-key.ts'
import type { AuthDeps } from './deps.ts'
import type { SiteClaims } from './site-claims.ts'
import { readStoredUser, SESSION_FIELDS, type StoredUser } from './stored-user.ts'

type SiteDeps = Pick<AuthDeps, 'db' | 'clock' | 'sessionUsers'>

/** Name and avatar of a user change at most this often. */
const CHANGED_EVERY_MS = 60_000
const ROLE_MAX_SECONDS = 60 * 60
const RESERVED = /^user-[0-9a-f]{8}$/i

/** Lists the names that a user may get, best first: the site's where it is valid here, else one of the id. */
function listNames(userId: ObjectId, siteName: string | undefined): string[] {
  const { data } = UserName.safeParse(siteName)
  const id = userId.toHexString()
  const ofId = [id.slice(-8), id.slice(0, 8), id.slice(8, 16)].map((part) => `user-${part}`)
  return data === undefined || RESERVED.test(data) ? ofId : [data, ...ofId]
}

/** Writes a user with the best name that nobody else has. */
async function withFreeName<T>(claims: SiteClaims, write: (userName: string) => Promise<T>): Promise<T> {
  for (const userName of listNames(claims.userId, claims.userName)) {
    try {
      return await write(userName)
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
  }
  throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
}

const toRoleEnd = ({ expiresAt }: SiteClaims, issuedAt: number) =>
  new Date(Math.min(expiresAt, issuedAt + ROLE_MAX_SECONDS) * 1000)

/** True when a token was issued after a deletion. A token without `iat` never is. */
const isLater = ({ issuedAt }: SiteClaims, deletedAt: Date) =>
  issuedAt !== undefined && issuedAt * 1000 > deletedAt.getTime()

/** Makes the user of a token that is seen first, or finds it. Null when it was deleted after the token was issued. */
async function insert(deps: SiteDeps, claims: SiteClaims, userName: string, session: ClientSession) {
  const { userId: _id, externalId, avatar, email, createdAt, issuedAt, isAdmin } = claims
  const deleted = await deps.db.deletedUsers.findOne({ _id }, { session })
  if (deleted !== null && !isLater(claims, deleted.at)) return null
  // The erasure would take what the new account writes.
  if (deleted !== null && deleted.erasedAt === undefined)
    throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)

  const now = deps.clock()
  const roleUntil = isAdmin && issuedAt !== undefined ? toRoleEnd(claims, issuedAt) : undefined
  const roles: UserDocument['roles'] = roleUntil === undefined ? ['user'] : ['user', 'admin']
  const suspension = suspensionAt(now, deleted ?? {})
  const user = {
    userName,
    ...(suspension && { suspension }),
    ...(externalId !== undefined && { externalId }),
    ...(email && { siteEmail: email }),
    ...(avatar && { avatar }),
    roles,
    royalGames: [],
    site: {
      ...(claims.userName !== undefined && { userName: claims.userName }),
      issuedAt: issuedAt ?? 0,
      changedAt: now,
      ...(isAdmin !== undefined && issuedAt !== undefined && { roleIssuedAt: issuedAt }),
      ...(roleUntil && { roleUntil }),
      ...(deleted && { deletedAt: deleted.at }),
    },
    createdAt: createdAt ?? now,
    updatedAt: now,
  }
  return await deps.db.users.findOneAndUpdate(
    { _id },
    { $setOnInsert: user },
    { upsert: true, returnDocument: 'after', projection: SESSION_FIELDS, session },
  )
}

const olderThan = (issuedAt: number) => ({ $not: { $gte: issuedAt } })

/** Gives or takes the role of admins, unless a newer token has done so. */
async function changeRole({ db }: SiteDeps, claims: SiteClaims, issuedAt: number): Promise<void> {
  const { userId: _id, isAdmin } = claims
  const roles = isAdmin ? GRANTED_ROLES : REVOKED_ROLES
  const site = { 'site.roleIssuedAt': issuedAt, 'site.roleUntil': isAdmin ? toRoleEnd(claims, issuedAt) : '$$REMOVE' }
  await db.users.updateOne({ _id, 'site.roleIssuedAt': olderThan(issuedAt) }, [{ $set: { roles, ...site } }])
}

/** Changes name, avatar, address and age, unless a newer token has done so. */
async function changeProfile({ db, clock }: SiteDeps, claims: SiteClaims, issuedAt: number): Promise<void> {
  const { userId: _id, userName: siteName, avatar, email, createdAt } = claims
  const now = clock()
  await withFreeName(claims, (userName) =>
    db.users.updateOne(
      { _id, 'site.issuedAt': olderThan(issuedAt) },
      {
        $set: {
          ...(siteName !== undefined && { userName, 'site.userName': siteName }),
          ...(avatar && { avatar }),
          ...(email && { siteEmail: email }),
          ...(createdAt && { createdAt }),
          'site.issuedAt': issuedAt,
          'site.changedAt': now,
          updatedAt: now,
        },
        $unset: { ...(avatar === null && { avatar: true }), ...(email === null && { siteEmail: true }) },
      },
    ),
  )
}

const NEVER = Number.NEGATIVE_INFINITY

function findChanges({ clock }: SiteDeps, claims: SiteClaims, user: StoredUser) {
  const { issuedAt = NEVER } = claims
  const { userName = user.userName, issuedAt: profileAt = NEVER, changedAt, roleIssuedAt = NEVER } = user.site ?? {}
  const isDifferent = [
    [claims.userName, userName],
    [claims.avatar, user.avatar ?? null],
    [claims.email, user.siteEmail ?? null],
    [claims.createdAt?.getTime(), user.createdAt.getTime()],
  ].some(([claimed, stored]) => claimed !== undefined && claimed !== stored)
  const isDue = changedAt === undefined || clock().getTime() - changedAt.getTime() >= CHANGED_EVERY_MS
  return {
    isRoleNewer: claims.isAdmin !== undefined && issuedAt > roleIssuedAt,
    isProfileNewer: isDifferent && isDue && issuedAt > profileAt,
  }
}

/** Brings the stored user up to date with a verified token, or makes it. Null for a token that is not valid for it. */
export async function takeSiteToken(deps: SiteDeps, claims: SiteClaims, freshness: { isFresh: boolean }) {
  const { userId, externalId, issuedAt } = claims
  const drop = () => deps.sessionUsers.drop(userId.toHexString())
  let user = await readStoredUser(deps, userId, freshness)
  if (user === null) {
    user = await withFreeName(claims, (userName) =>
      deps.db.transaction((session) => insert(deps, claims, userName, session)),
    )
    drop()
  }
  if (user === null || user.externalId !== externalId) return null
  if (user.site?.deletedAt && !isLater(claims, user.site.deletedAt)) return null

  const { isRoleNewer, isProfileNewer } = findChanges(deps, claims, user)
  if (issuedAt === undefined || !(isRoleNewer || isProfileNewer)) return user
  if (isRoleNewer) await changeRole(deps, claims, issuedAt)
  if (isProfileNewer) await changeProfile(deps, claims, issuedAt)
  drop()
  return await readStoredUser(deps, userId, { isFresh: true })
}
