import type { ConflictDecided } from '../../contract/namespaces/conflicts.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import type { Actor } from '../auth/actor.ts'
import type { ConflictsDeps } from './deps.ts'
import { type ConflictName, conflictQueueKey } from './states.ts'

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
