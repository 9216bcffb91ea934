import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { RequestsDeps } from './deps.ts'
import { REQUEST_FIELDS, type RequestRow } from './to-wire.ts'

/** Finds what is shown of a request. @throws DomainError NOT_FOUND */
export async function findRequest({ db }: Pick<RequestsDeps, 'db'>, requestId: string): Promise<RequestRow> {
  const options = { projection: REQUEST_FIELDS }
  const row = await db.contentRequests.findOne<RequestRow>({ _id: new ObjectId(requestId) }, options)
  if (row === null) throw new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
  return row
}
