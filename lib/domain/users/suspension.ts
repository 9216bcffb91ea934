import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { SuspendBody, SuspensionState } from '../../contract/persons.ts'
import { isAdminAt } from '../../infrastructure/db/collections/users.ts'
import type { Actor } from '../auth/actor.ts'
import type { AuthDeps } from '../auth/deps.ts'
import { addToUnread } from '../notifications/add-to-unread.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction, userTarget } from '../staff/record-staff-action.ts'

type Deps = StaffDeps & Pick<AuthDeps, 'sessionUsers' | 'cacheLagMs'>

const NAMED = { userName: 1, roles: 1, site: 1, suspension: 1 } as const

/**
 * Suspends a user, or changes the suspension. Resolves once no instance accepts a change that begins later, because no
 * cache of another instance can hold the user from before any more.
 * @throws DomainError INVALID for an end in the past, NOT_FOUND, FORBIDDEN for an admin
 */
export async function suspendUser(
  deps: Deps,
  { user: admin }: Actor,
  { userId, until: end, reason }: SuspendBody & { userId: string },
): Promise<SuspensionState> {
  const { db, clock, sessionUsers, cacheLagMs } = deps
  const _id = new ObjectId(userId)
  const at = clock()
  const until = end === null ? null : new Date(end)
  const details = { until: until?.toISOString() ?? null, reason }
  if (until !== null && until <= at) {
    const message = MESSAGES.suspensionOver
    throw new DomainError('INVALID', message, { issues: [{ path: 'until', message }] })
  }
  await db.transaction(async (session) => {
    const suspension = { until, reason, at, by: admin._id }
    const user = await db.users.findOneAndUpdate({ _id }, { $set: { suspension } }, { session, projection: NAMED })
    if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
    if (isAdminAt(at, user)) throw new DomainError('FORBIDDEN', MESSAGES.adminNotSuspended)
    const entry = { action: 'user-suspended', target: userTarget(user), details } as const
    await recordStaffAction(deps, { actor: admin, ...entry }, { session })
    const fields = { type: 'account-suspended', facts: { until, reason: { $literal: reason } } }
    await addToUnread(deps, { userIds: [_id], key: 'suspension', fields }, session)
  })
  sessionUsers.drop(userId)
  await sleep(cacheLagMs)
  return { _id: userId, suspension: { ...details, at: at.toISOString() } }
}

/** Ends the suspension of a user. One who has none is no error. @throws DomainError NOT_FOUND */
export async function endSuspension(deps: Deps, { user: admin }: Actor, { userId }: { userId: string }) {
  const { db } = deps
  const _id = new ObjectId(userId)
  await db.transaction(async (session) => {
    const change = { $unset: { suspension: true } } as const
    const user = await db.users.findOneAndUpdate({ _id }, change, { session, projection: NAMED })
    if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
    if (user.suspension === undefined) return
    const entry = { actor: admin, action: 'suspension-ended', target: userTarget(user) } as const
    await recordStaffAction(deps, entry, { session })
  })
  deps.sessionUsers.drop(userId)
  return { _id: userId, suspension: null }
}
