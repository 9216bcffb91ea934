import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, Filter, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { FEED_LIVE_MS } from '../../infrastructure/concurrency/timeouts.ts'
import { isAdminBy, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { AccountsDeps } from './deps.ts'

/** Two transactions that write it conflict, so that two admins cannot leave at once. */
const ADMINS_LOCK = 'admins'

async function assertAdminLeft({ db }: Pick<StaffDeps, 'db'>, session: ClientSession): Promise<void> {
  await db.leases.updateOne({ _id: ADMINS_LOCK }, { $currentDate: { until: true } }, { upsert: true, session })
  const left = await db.users.findOne({ roles: 'admin' }, { session, projection: { _id: 1 } })
  if (left === null) throw new DomainError('CONFLICT', MESSAGES.lastAdmin)
}

interface CloseAccountInput {
  filter: Filter<UserDocument>
  /** True when somebody else closes the account, which the staff log then says. */
  isRecorded: boolean
}

/**
 * Deletes a user with its sessions and leaves the rest to the erasure, in one transaction. Name and e-mail are free again.
 * @returns the id, null when the filter matched nobody
 * @throws DomainError CONFLICT for the last admin
 */
export async function closeAccount(
  deps: Pick<StaffDeps, 'db' | 'clock'>,
  { filter, isRecorded }: CloseAccountInput,
): Promise<ObjectId | null> {
  const { users, refreshTokens, deletedUsers } = deps.db
  return await deps.db.transaction(async (session) => {
    const user = await users.findOneAndDelete(filter, {
      session,
      projection: { roles: 1, avatar: 1, avatarUploads: 1 },
    })
    if (user === null) return null
    const { _id, roles, avatar, avatarUploads = [] } = user
    if (isAdminBy(roles)) await assertAdminLeft(deps, session)
    await refreshTokens.deleteMany({ userId: _id }, { session })
    const images = [...(avatar === undefined ? [] : [avatar]), ...avatarUploads]
    await deletedUsers.updateOne(
      { _id },
      [{ $set: { at: '$$NOW', images: { $literal: images }, isPending: true } }, { $unset: 'erasedAt' }],
      { upsert: true, session },
    )
    const target = { kind: 'user' as const, id: _id.toHexString() }
    if (isRecorded) await recordStaffAction(deps, { actor: null, action: 'user-deleted', target }, { session })
    return _id
  })
}

/** Resolves once no instance accepts a session of a closed account: sockets here end at once, caches elsewhere soon. */
export async function untilClosedEverywhere(
  deps: Pick<AccountsDeps, 'sessionUsers' | 'commentCaches' | 'emit' | 'accountErasure'>,
  userId: string,
): Promise<void> {
  deps.sessionUsers.drop(userId)
  deps.commentCaches.authors.drop(userId)
  deps.emit.disconnectUser(userId)
  deps.accountErasure.wake()
  await sleep(FEED_LIVE_MS)
}
