import type { SessionUser } from '../auth/session-user.ts'
import type { ConflictParams } from '../contract/conflicts.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { StaffActionDocument } from '../db/collections/staff-actions.ts'
import type { EventVersion } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { createSentBy } from '../events/sent-by.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { ConflictsDeps } from './deps.ts'
import { conflictId } from './states.ts'
import { textOr } from './stored-values.ts'

export const conflictNotFound = () => new DomainError('NOT_FOUND', MESSAGES.conflictNotFound)

interface ConflictChange extends Pick<StaffActionDocument, 'action' | 'details'> {
  fields: Partial<ConflictDocument>
  /** The failpoint after the write. */
  step: string
}

/**
 * Changes a conflict by what it is at that moment, and records the staff action, in one transaction.
 * @throws DomainError NOT_FOUND, and what `choose` throws
 */
export async function changeConflict(
  deps: ConflictsDeps,
  { source, externalId, admin }: ConflictParams & { admin: SessionUser },
  choose: (record: ConflictDocument) => ConflictChange,
): Promise<EventVersion> {
  const { conflicts } = deps.db
  return await deps.db.transaction(async (session) => {
    const record = await conflicts.findOne({ source, externalId }, { session })
    if (record === null) throw conflictNotFound()
    const { fields, step, ...action } = choose(record)
    const { _id, externalName, rev: before = 0 } = record
    const $set = { ...fields, rev: before + 1, sentBy: createSentBy(deps) }
    await conflicts.updateOne({ _id }, { $set, $currentDate: { updatedAt: true } }, { session })
    await deps.failpoint(step)
    const target = { kind: 'conflict', id: conflictId(record), name: textOr(externalName, externalId) } as const
    await recordStaffAction(deps, { ...action, admin, target }, { session })
    await deps.failpoint('conflict:recorded')
    return { rev: before + 1, documentId: _id.toHexString() }
  })
}
