import { type Collection, ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import { AdminContentRequest, ContentRequest, MESSAGES, type RequestKind } from '../../contract/index.ts'
import type { ContentRequestDocument } from '../../infrastructure/db/collections/content-requests.ts'
import type { StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { toContract, toProjection } from '../../infrastructure/db/to-contract.ts'
import { mapImages } from '../../infrastructure/storage/image-fields.ts'
import type { RequestsDeps } from './deps.ts'
import { IS_CLAIM_LIVE } from './live-claim.ts'

const claimField = (field: '$claimedAt' | '$claimedBy') => ({
  $cond: [{ $and: [{ $eq: ['$status', 'pending'] }, IS_CLAIM_LIVE] }, field, null],
})

export const REQUEST_FIELDS = {
  ...toProjection(ContentRequest),
  lastFailure: 1,
  claimedAt: claimField('$claimedAt'),
  claimedBy: claimField('$claimedBy'),
}

export type RequestRow = Omit<ContentRequestDocument, 'slot' | 'pendingUploads' | 'updatedAt'>

type User = Pick<UserDocument, '_id' | 'userName'>
type Entry = Record<'name' | 'slug', string> & { _id: ObjectId }

/** Authors and entries by their id in hex, as far as they are still stored. */
export interface RequestNames {
  users: ReadonlyMap<string, User>
  entries: Readonly<Record<RequestKind, ReadonlyMap<string, Entry>>>
}

/** Finds the names of authors, targets and results of requests, with one query of a collection at most. */
export async function findNames({ db }: Pick<RequestsDeps, 'db'>, rows: readonly RequestRow[]): Promise<RequestNames> {
  const authorIds = rows.flatMap(({ userId }) => userId ?? [])
  const findEntries = (collection: Pick<Collection<Entry>, 'find'>, wanted: RequestKind) => {
    const shown = rows.filter(({ kind }) => kind === wanted)
    const ids = shown.flatMap(({ targetId, resultId }) => [targetId ?? [], resultId ?? []].flat())
    return mapByIds<Entry>(collection, ids, { name: 1, slug: 1 })
  }
  const [users, game, character] = await Promise.all([
    mapByIds<User>(db.users, authorIds, { userName: 1 }),
    findEntries(db.games, 'game'),
    findEntries(db.characters, 'character'),
  ])
  return { users, entries: { game, character } }
}

const toWire =
  <S extends typeof ContentRequest>(schema: S) =>
  ({ storage }: Pick<RequestsDeps, 'storage'>, row: RequestRow, { users, entries }: RequestNames): z.output<S> => {
    const [target, result] = [row.targetId, row.resultId].map((id) => entries[row.kind].get(String(id)))
    return toContract(schema, {
      ...row,
      payload: mapImages(row.payload, storage.addressOf),
      targetName: target?.name,
      targetSlug: target?.slug,
      userName: users.get(String(row.userId))?.userName,
      resultSlug: result?.slug,
    })
  }

export const toContentRequest = toWire(ContentRequest)
export const toAdminRequest = toWire(AdminContentRequest)

export function toStaffTarget({ _id, payload }: Pick<RequestRow, '_id' | 'payload'>): StaffActionDocument['target'] {
  const { name } = payload
  return { kind: 'request', id: _id.toHexString(), ...(typeof name === 'string' && { name }) }
}

/** Finds what is shown of a request. @throws DomainError NOT_FOUND */
export async function findRequest({ db }: Pick<RequestsDeps, 'db'>, requestId: string): Promise<RequestRow> {
  const options = { projection: REQUEST_FIELDS }
  const row = await db.contentRequests.findOne<RequestRow>({ _id: new ObjectId(requestId) }, options)
  if (row === null) throw new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
  return row
}
