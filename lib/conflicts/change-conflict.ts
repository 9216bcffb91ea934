import type { ClientSession } from 'mongodb'
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
  step: string
  /** Refuses the change by what the conflict was before, or completes it. */
  complete: (before: ConflictDocument, session: ClientSession) => void | Promise<void>
}

/**
 * Changes a conflict and records the staff action, in one transaction. One command writes and answers what was before; a
 * change that `complete` refuses is rolled back.
 * @throws DomainError NOT_FOUND, and what `complete` throws
 */
export async function changeConflict(
  deps: ConflictsDeps,
  { source, externalId, admin }: ConflictParams & { admin: SessionUser },
  { fields, step, complete, ...action }: ConflictChange,
): Promise<EventVersion> {
  return await deps.db.transaction(async (session) => {
    const $set = { ...fields, sentBy: createSentBy(deps) }
    const update = { $set, $inc: { rev: 1 }, $currentDate: { updatedAt: true } } as const
    const options = { session, returnDocument: 'before' } as const
    const before = await deps.db.conflicts.findOneAndUpdate({ source, externalId }, update, options)
    if (before === null) throw conflictNotFound()
    await complete(before, session)
    await deps.failpoint(step)
    const name = textOr(before.externalName, externalId)
    const target = { kind: 'conflict', id: conflictId(before), name } as const
    await recordStaffAction(deps, { ...action, admin, target }, { session })
    await deps.failpoint('conflict:recorded')
    return { rev: (before.rev ?? 0) + 1, documentId: before._id.toHexString() }
  })
}
