import type { ObjectId } from 'mongodb'
import type { AdminContentRequest, ContentRequest, RequestKind } from '../contract/requests.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import type { StaffActionDocument } from '../db/collections/staff-actions.ts'
import { IS_CLAIM_LIVE } from './live-claim.ts'

const claimField = (field: '$claimedAt' | '$claimedBy') => ({
  $cond: [{ $and: [{ $eq: ['$status', 'pending'] }, IS_CLAIM_LIVE] }, field, null],
})

/** The fields of a request that are shown. A past claim reads as none, by the database's clock. */
export const REQUEST_FIELDS = {
  kind: 1,
  action: 1,
  targetId: 1,
  payload: 1,
  sources: 1,
  note: 1,
  status: 1,
  userId: 1,
  claimedAt: claimField('$claimedAt'),
  claimedBy: claimField('$claimedBy'),
  appliedFields: 1,
  failedFields: 1,
  lastFailure: 1,
  resultId: 1,
  reason: 1,
  decidedAt: 1,
  decidedBy: 1,
  createdAt: 1,
} as const

/** A stored request as `REQUEST_FIELDS` read it. */
export type RequestRow = Omit<ContentRequestDocument, 'slot' | 'pendingUploads' | 'updatedAt'>

/** Names of authors and entries by their id in hex, as far as they are still stored. */
export interface RequestNames {
  users: ReadonlyMap<string, string>
  entries: Readonly<Record<RequestKind, ReadonlyMap<string, { name: string; slug: string }>>>
}

const hexOrNull = (id: ObjectId | null | undefined) => id?.toHexString() ?? null

/** A request as its author sees it. */
export function toContentRequest(row: RequestRow, { users, entries }: RequestNames): ContentRequest {
  const [targetId, resultId] = [hexOrNull(row.targetId), hexOrNull(row.resultId)]
  const named = entries[row.kind]
  const target = named.get(targetId ?? '')

  return {
    _id: row._id.toHexString(),
    kind: row.kind,
    action: row.action,
    status: row.status,
    targetId,
    targetName: target?.name ?? null,
    targetSlug: target?.slug ?? null,
    payload: row.payload,
    sources: row.sources ?? [],
    note: row.note ?? null,
    reason: row.reason ?? null,
    appliedFields: row.appliedFields ?? [],
    failedFields: row.failedFields ?? [],
    userId: row.userId.toHexString(),
    userName: users.get(row.userId.toHexString()) ?? null,
    resultId,
    resultSlug: named.get(resultId ?? '')?.slug ?? null,
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: hexOrNull(row.decidedBy),
  }
}

/** A request as admins see it, with the claim of the admin who is deciding it and the last failure. */
export const toAdminRequest = (row: RequestRow, names: RequestNames): AdminContentRequest => ({
  ...toContentRequest(row, names),
  claimedAt: row.claimedAt?.toISOString() ?? null,
  claimedBy: hexOrNull(row.claimedBy),
  lastFailure: row.lastFailure ? { ...row.lastFailure, at: row.lastFailure.at.toISOString() } : null,
})

/** A request as the log of staff actions names it. */
export function toStaffTarget({
  _id,
  payload: { name },
}: Pick<RequestRow, '_id' | 'payload'>): StaffActionDocument['target'] {
  const target = { kind: 'request', id: _id.toHexString() } as const
  return typeof name === 'string' ? { ...target, name } : target
}
