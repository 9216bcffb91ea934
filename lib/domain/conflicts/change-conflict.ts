import type { ClientSession, Document } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ConflictParams } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ConflictDecided } from '../../contract/namespaces/conflicts.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import type { StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import { toLiterals } from '../../infrastructure/db/expressions.ts'
import type { EventVersion } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { ConflictsDeps } from './deps.ts'
import { CLOSED, conflictId, conflictQueueKey, NEXT_REV, QUEUED, WAITING } from './states.ts'
import { textOr } from './stored-values.ts'

export const conflictNotFound = () => new DomainError('NOT_FOUND', MESSAGES.conflictNotFound)

interface ConflictChange extends Pick<StaffActionDocument, 'action' | 'details'> {
  fields?: Partial<ConflictDocument>
  /** Fields computed from the stored record, as expressions of a pipeline. */
  derived?: Document
  step: string
  assertAllowed: (before: ConflictDocument) => void
  /** Changes other documents in the same transaction. Answers the details of the staff action. */
  alsoWrite?: (before: ConflictDocument, session: ClientSession) => Promise<StaffActionDocument['details']>
  /** The new state, which is sent to every admin. Absent where nothing is sent. */
  state?: ConflictDecided['state']
}

async function write(
  deps: ConflictsDeps,
  { user }: Actor,
  { source, externalId }: ConflictParams,
  { fields = {}, derived, step, assertAllowed, alsoWrite, action, details: fixedDetails }: ConflictChange,
): Promise<EventVersion> {
  return await deps.db.transaction(async (session) => {
    const $set = { ...toLiterals(fields), ...derived, rev: NEXT_REV, sentBy: createSentBy(deps), updatedAt: '$$NOW' }
    const options = { session, returnDocument: 'before' } as const
    const before = await deps.db.conflicts.findOneAndUpdate({ source, externalId }, [{ $set }], options)
    if (before === null) throw conflictNotFound()
    assertAllowed(before)
    await deps.failpoint(step)
    const details = alsoWrite === undefined ? fixedDetails : await alsoWrite(before, session)
    const name = textOr(before.externalName, externalId)
    const target = { kind: 'conflict', id: conflictId(before), name } as const
    await recordStaffAction(deps, { action, ...(details && { details }), actor: user, target }, { session })
    await deps.failpoint('conflict:recorded')
    return { rev: (before.rev ?? 0) + 1, documentId: before._id.toHexString() }
  })
}

/**
 * Changes a conflict and records the staff action in one transaction, after all earlier changes of the conflict, and sends
 * the event to every admin, the actor included. A change that is not allowed is rolled back.
 * @throws DomainError NOT_FOUND, and what `assertAllowed` throws
 */
export async function changeConflict(
  deps: ConflictsDeps,
  actor: Actor,
  conflict: ConflictParams,
  change: ConflictChange,
): Promise<void> {
  const { queue, conflictCounts, failpoint, emit } = deps
  const turn = async () => {
    const version = await write(deps, actor, conflict, change)
    const { state } = change
    if (state === undefined) return
    const [from, to] = state === 'waiting' ? [CLOSED, WAITING] : [WAITING, QUEUED]
    conflictCounts.moved(conflict.source, from, to)
    await failpoint('conflict:written')
    emit.conflicts.decided({ ...conflict, state, decidedBy: actor.user.userName }, version)
  }
  await queue.run(conflictQueueKey(conflict), turn, { isGone: actor.isGone })
}
