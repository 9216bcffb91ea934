import type { ClientSession, Document } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ConflictParams } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ConflictDecided } from '../../contract/namespaces/conflicts.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import type { StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import type { Changed, EventVersion } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { ConflictsDeps } from './deps.ts'
import { type ConflictName, conflictId, conflictQueueKey, NEXT_REV } from './states.ts'
import { textOr } from './stored-values.ts'

export const conflictNotFound = () => new DomainError('NOT_FOUND', MESSAGES.conflictNotFound)

interface ConflictChange extends Pick<StaffActionDocument, 'action' | 'details'> {
  fields?: Partial<ConflictDocument>
  /** Fields computed from the stored record, as expressions of a pipeline. */
  derived?: Document
  step: string
  assertAllowed: (before: ConflictDocument) => void
  /** Writes what else changes, in the same transaction. Answers further details for the staff action. */
  alsoWrite?: (before: ConflictDocument, session: ClientSession) => Promise<StaffActionDocument['details']>
}

/**
 * Changes a conflict and records the staff action, in one transaction. One command writes and answers what was before; a
 * change that is not allowed is rolled back.
 * @throws DomainError NOT_FOUND, and what `assertAllowed` throws
 */
export async function changeConflict(
  deps: ConflictsDeps,
  { user }: Actor,
  { source, externalId }: ConflictParams,
  { fields = {}, derived, step, assertAllowed, alsoWrite, ...action }: ConflictChange,
): Promise<EventVersion> {
  return await deps.db.transaction(async (session) => {
    const literals = Object.entries(fields).map(([field, value]) => [field, { $literal: value }])
    const $set = { ...Object.fromEntries(literals), ...derived, rev: NEXT_REV, sentBy: createSentBy(deps) }
    const update = [{ $set: { ...$set, updatedAt: '$$NOW' } }]
    const options = { session, returnDocument: 'before' } as const
    const before = await deps.db.conflicts.findOneAndUpdate({ source, externalId }, update, options)
    if (before === null) throw conflictNotFound()
    assertAllowed(before)
    await deps.failpoint(step)
    const details = alsoWrite === undefined ? action.details : await alsoWrite(before, session)
    const name = textOr(before.externalName, externalId)
    const target = { kind: 'conflict', id: conflictId(before), name } as const
    await recordStaffAction(deps, { ...action, ...(details && { details }), actor: user, target }, { session })
    await deps.failpoint('conflict:recorded')
    return { rev: (before.rev ?? 0) + 1, documentId: before._id.toHexString() }
  })
}

/** Runs a change after all earlier ones of its conflict, and sends its event to every admin, the actor included. */
export async function inConflict<R>(
  { queue, emit }: Pick<ConflictsDeps, 'queue' | 'emit'>,
  { isGone }: Actor,
  conflict: ConflictName,
  change: () => Promise<Changed<R, ConflictDecided>>,
): Promise<R> {
  const turn = async () => {
    const { result, event } = await change()
    if (event) emit.conflicts.decided(event.payload, event.version)
    return result
  }
  return await queue.run(conflictQueueKey(conflict), turn, { isGone })
}
