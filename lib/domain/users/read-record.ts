import { ObjectId } from 'mongodb'
import { UserRecord } from '../../contract/persons.ts'
import type { ReportOutcome } from '../../contract/reports.ts'
import type { RequestStatus } from '../../contract/requests.ts'
import { BY_USER_NEWEST_FIRST } from '../../infrastructure/db/collections/content-requests.ts'
import { ADDRESS_DAYS, BY_ADDRESS_NEWEST_FIRST } from '../../infrastructure/db/collections/user-addresses.ts'
import { suspensionAt } from '../../infrastructure/db/collections/users.ts'
import { findByIds } from '../../infrastructure/db/find-by-ids.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentsDeps } from '../comments/deps.ts'
import { listComments } from '../comments/list-comments.ts'
import { readRecords } from '../reports/read-records.ts'
import type { RequestsDeps } from '../requests/deps.ts'
import { findRequestsPage } from '../requests/find-requests-page.ts'
import { toAdminRequest } from '../requests/to-wire.ts'
import { findUser } from './find-user.ts'
import { listActions, listSuspensions } from './list-suspensions.ts'

type Deps = CommentsDeps & RequestsDeps

const DAY_MS = 24 * 60 * 60 * 1_000
const ADDRESSES_MAX = 10
const SHARING_MAX = 10
const NOTES_MAX = 50
const LAST = { page: 1, take: 5 }

/** Finds the addresses from which a user was here, and the other accounts that have used one of them lately. */
async function readAddresses({ db, clock }: Deps, userId: ObjectId) {
  const at = { $gte: new Date(clock().getTime() - ADDRESS_DAYS * DAY_MS) }
  const found = await db.userAddresses.find({ userId, at }, { sort: { at: -1 }, limit: ADDRESSES_MAX }).toArray()
  // An account is in as many rows as there are addresses.
  const others = { address: { $in: found.map(({ address }) => address) }, at, userId: { $ne: userId } }
  const options = { hint: BY_ADDRESS_NEWEST_FIRST, sort: { at: -1 }, limit: SHARING_MAX * ADDRESSES_MAX } as const
  const rows = await db.userAddresses.find(others, options).toArray()
  const ids = [...new Set(rows.map((row) => row.userId.toHexString()))].slice(0, SHARING_MAX)
  const sharingIds = ids.map((id) => new ObjectId(id))
  const users = await findByIds<{ _id: ObjectId; userName: string }>(db.users, sharingIds, { userName: 1 })
  return {
    addresses: found.map(({ address, at: lastUsedAt }) => ({ address, lastUsedAt })),
    sharing: users.map((user) => ({ ...user, address: rows.find((row) => row.userId.equals(user._id))?.address })),
  }
}

async function countRequests({ db }: Deps, userId: ObjectId): Promise<UserRecord['requests']> {
  const count = (status: RequestStatus) => db.contentRequests.countDocuments({ userId, status })
  return {
    pending: await count('pending'),
    approved: await count('approved'),
    rejected: await count('rejected'),
    withdrawn: await count('withdrawn'),
  }
}

async function countReportsMade({ db }: Deps, reporterId: ObjectId): Promise<UserRecord['reports']['made']> {
  const count = (outcome: ReportOutcome | null) => db.reports.countDocuments({ reporterId, outcome })
  return { open: await count(null), actedOn: await count('acted-on'), kept: await count('kept') }
}

/** Reads what admins know of a user. @throws DomainError NOT_FOUND */
export async function readRecord(
  deps: Deps,
  { userId, viewer }: { userId: string; viewer: SessionUser },
): Promise<UserRecord> {
  const _id = new ObjectId(userId)
  const user = await findUser(deps, { userId })
  const stored = await deps.db.users.findOne({ _id }, { projection: { roles: 1, site: 1, suspension: 1 } })
  const suspension = suspensionAt(deps.clock(), stored ?? {})
  const byUser = { filter: { userId: _id }, sort: { createdAt: -1, _id: -1 }, index: BY_USER_NEWEST_FIRST } as const
  const [records, requests, made, suspensions, addresses, notes, acts, comments, lastRequests] = await Promise.all([
    readRecords(deps, [_id]),
    countRequests(deps, _id),
    countReportsMade(deps, _id),
    listSuspensions(deps, userId),
    readAddresses(deps, _id),
    listActions(deps, userId, ['user-noted'], NOTES_MAX),
    listActions(deps, userId, ['comments-hidden'], LAST.take),
    listComments(deps, { ...LAST, userId, viewer }),
    findRequestsPage(deps, { ...byUser, ...LAST }),
  ])
  const { reports: received, visible, hidden, deleted } = records(_id)
  return toContract(UserRecord, {
    user,
    comments: { visible, hidden, deleted },
    requests,
    reports: { made, received },
    suspension,
    suspensions,
    ...addresses,
    notes: notes.map(({ admin, details, ...note }) => ({
      ...note,
      by: admin?.userName,
      text: String(details?.text ?? ''),
    })),
    acts: acts.map(({ _id: actId, at, details }) => ({
      actId,
      at,
      count: typeof details?.count === 'number' ? details.count : null,
      isUndone: details?.isUndone === true,
    })),
    lastComments: comments.results,
    lastRequests: lastRequests.rows.map((row) => toAdminRequest(deps, row, lastRequests.names)),
  })
}
