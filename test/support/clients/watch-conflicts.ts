import { randomUUID } from 'node:crypto'
import type { TestService } from '../service/start-service.ts'
import type { Caller } from './caller.ts'
import { openClient, untilConnected } from './clients.ts'

export async function watchConflicts(service: TestService, admin: Caller) {
  const socket = openClient(service.baseUrl, '/conflicts', { cookie: admin.cookie })
  const events: { event: string; payload: unknown }[] = []
  const marks = new Map<string, () => void>()
  socket.onAny((event, payload) => {
    const arrived = marks.get(payload?.externalIds?.[0])
    if (arrived) arrived()
    else if (!String(payload?.externalIds?.[0]).startsWith('mark ')) events.push({ event, payload })
  })
  await untilConnected(socket)

  return {
    /** Every event so far. An event that was sent before this call has arrived when it answers. */
    async seen() {
      // A connection keeps its order, so this one arrives after everything announced before it.
      const mark = `mark ${randomUUID()}`
      const arrived = new Promise<void>((resolve) => marks.set(mark, resolve))
      service.deps.emit.conflicts.applied('ra', [{ externalId: mark, documentId: mark, rev: 1 }])
      await arrived
      return [...events]
    },
  }
}
