import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientSession, type Filter, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { isObjectId, MESSAGES } from '../../contract/index.ts'
import { adminsAt, isAdminAt, suspensionAt, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Actor } from '../auth/actor.ts'
import { findPasswordHash, passwordWrong } from '../auth/change-password.ts'
import type { AuthDeps } from '../auth/deps.ts'
import { hashAddress } from '../auth/kept-suspension.ts'
import { toSiteUserId } from '../auth/site-claims.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { AccountsDeps } from './deps.ts'

/** Two transactions that write it conflict, so that two admins cannot leave at once. */
const ADMINS_LOCK = 'admins'

async function assertAdminLeft({ db, clock }: Pick<StaffDeps, 'db' | 'clock'>, session: ClientSession): Promise<void> {
  await db.leases.updateOne({ _id: ADMINS_LOCK }, { $currentDate: { until: true } }, { upsert: true, session })
  const left = await db.users.findOne(adminsAt(clock()), { session, projection: { _id: 1 } })
  if (left === null) throw new DomainError('CONFLICT', MESSAGES.lastAdmin)
}

interface CloseAccountInput {
  filter: Filter<UserDocument>
  /** True when somebody else closes the account: the staff log then has an entry. */
  isRecorded: boolean
  /** A user of the site, whose deletion is stored even when the user was never seen here. */
  siteUserId?: ObjectId | undefined
}

/** Stores the deletion of a user who was never here, so that no earlier token makes that user. */
async function storeDeletion({ users, deletedUsers }: Database, _id: ObjectId, session: ClientSession): Promise<void> {
  const at = new Date()
  // A first sight at the same time conflicts with the insertion, and is retried after this transaction.
  await users.insertOne({ _id, userName: `deleted ${_id}`, createdAt: at, updatedAt: at }, { session })
  await users.deleteOne({ _id }, { session })
  const erasedAt = { $cond: [{ $eq: ['$isPending', true] }, '$erasedAt', '$$NOW'] }
  const deletion = { at: '$$NOW', images: { $ifNull: ['$images', []] }, erasedAt }
  await deletedUsers.updateOne({ _id }, [{ $set: deletion }], { upsert: true, session })
}

/**
 * Deletes a user with its sessions and leaves the rest to the erasure, in one transaction. Name and e-mail are free again.
 * @returns the id, null when the filter matched nobody
 * @throws DomainError CONFLICT for the last admin
 */
export async function closeAccount(
  deps: Pick<AuthDeps, 'clock' | 'db' | 'jwtSecret'>,
  { filter, isRecorded, siteUserId }: CloseAccountInput,
): Promise<ObjectId | null> {
  const { users, refreshTokens, deletedUsers } = deps.db
  return await deps.db.transaction(async (session) => {
    const user = await users.findOneAndDelete(filter, {
      session,
      projection: { roles: 1, site: 1, suspension: 1, email: 1, avatar: 1, avatarUploads: 1 },
    })
    if (user === null && siteUserId !== undefined) await storeDeletion(deps.db, siteUserId, session)
    if (user === null) return siteUserId ?? null
    const { _id, avatar, avatarUploads = [] } = user
    if (isAdminAt(deps.clock(), user)) await assertAdminLeft(deps, session)
    await refreshTokens.deleteMany({ userId: _id }, { session })
    const images = [...(avatar === undefined ? [] : [avatar]), ...avatarUploads]
    const suspension = suspensionAt(deps.clock(), user)
    const kept = suspension && { suspension, ...(user.email && { addressHash: hashAddress(deps, user.email) }) }
    const stored = { $literal: { _id, images, isPending: true, ...kept } }
    const deletion = [{ $replaceWith: { $mergeObjects: [stored, { at: '$$NOW' }] } }]
    await deletedUsers.updateOne({ _id }, deletion, { upsert: true, session })
    const target = { kind: 'user' as const, id: _id.toHexString() }
    if (isRecorded) await recordStaffAction(deps, { actor: null, action: 'user-deleted', target }, { session })
    return _id
  })
}

/** Resolves once no instance accepts a session of a closed account: sockets here end at once, caches elsewhere soon. */
async function untilClosedEverywhere(deps: AccountsDeps, userId: string): Promise<void> {
  deps.sessionUsers.drop(userId)
  deps.commentCaches.authors.drop(userId)
  deps.emit.disconnectUser(userId)
  deps.accountErasure.wake()
  await sleep(deps.cacheLagMs)
}

function readUserId({ config: { site } }: AccountsDeps, id: string): ObjectId {
  if (site !== undefined) return toSiteUserId(id).userId
  if (!isObjectId(id)) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  return new ObjectId(id)
}

/**
 * Deletes an account for a program: closed on every instance when this resolves, erased by a job afterwards. The deletion of a
 * user of the site who was never seen here is stored.
 * @throws DomainError NOT_FOUND, CONFLICT for the last admin
 */
export async function deleteAccount(deps: AccountsDeps, { id }: { id: string }): Promise<{ userId: string }> {
  const _id = readUserId(deps, id)
  const siteUserId = deps.config.site && _id
  const closed = await closeAccount(deps, { filter: { _id }, isRecorded: true, siteUserId })
  if (closed === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  const userId = _id.toHexString()
  await untilClosedEverywhere(deps, userId)
  return { userId }
}

/**
 * Deletes the actor's account: closed on every instance when this resolves, erased by a job afterwards.
 * @throws DomainError FORBIDDEN, INVALID for a wrong password, RATE_LIMITED, CONFLICT for the last admin
 */
export async function deleteOwnAccount(
  deps: AccountsDeps,
  { user: { _id } }: Actor,
  { userId, password, address }: { userId: string; password: string; address: string },
): Promise<{ userId: string }> {
  if (_id.toHexString() !== userId) throw new DomainError('FORBIDDEN', MESSAGES.accountNotYours)
  const passwordHash = await findPasswordHash(deps, _id, { path: 'password', password, address })
  const closed = await closeAccount(deps, { filter: { _id, passwordHash }, isRecorded: false })
  if (closed === null) throw passwordWrong('password')
  await untilClosedEverywhere(deps, userId)
  return { userId }
}
