import type { EventEmitter } from 'node:events'

/** Takes all listeners off an emitter and brings it back to its first state, without the 184 bytes of an empty list. */
export function dropListeners(emitter: EventEmitter): void {
  emitter.removeAllListeners()
  // Node types none of this; an emitter that never had a listener has the same.
  Object.assign(emitter, { _events: undefined })
}
