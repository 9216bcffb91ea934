import type { ConflictDocument } from '../db/collections/conflicts.ts'
import { DomainError } from '../errors.ts'
import { textOr } from './stored-values.ts'

/** Refuses a change of a conflict that has been decided, naming the admin where one is known. */
export const alreadyDecided = ({
  externalId,
  decidedBy,
}: Pick<ConflictDocument, 'externalId' | 'decidedBy'>): DomainError =>
  new DomainError('CONFLICT', `${textOr(decidedBy?.userName, 'Someone')} has already decided ${externalId}`)
