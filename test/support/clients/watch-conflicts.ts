import { randomUUID } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import type { ConflictsClientEvents, ConflictsServerEvents } from '#lib/contract/namespaces/conflicts'
import { closeAtEnd } from '../service/close-at-end.ts'
import type { TestService } from '../service/start-service.ts'
import type { Caller } from './caller.ts'

async function openConflicts(service: TestService, admin: Caller) {
  const socket: Socket<ConflictsServerEvents, ConflictsClientEvents> = io(`${service.baseUrl}/conflicts`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    extraHeaders: { cookie: admin.cookie },
  })
  const events: { event: string; payload: unknown }[] = []
  const marks = new Map<string, () => void>()
  socket.onAny((event, payload) => {
    const arrived = marks.get(payload?.externalIds?.[0])
    if (arrived) arrived()
    else if (!String(payload?.externalIds?.[0]).startsWith('mark ')) events.push({ event, payload })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })

  return {
    /** Everything announced to it so far: what was sent before this call has arrived when it answers. */
    async seen() {
      // A connection keeps its order, so this one arrives after everything announced before it.
      const mark = `mark ${randomUUID()}`
      const arrived = new Promise<void>((resolve) => marks.set(mark, resolve))
      service.deps.emit.conflicts.applied('ra', [{ externalId: mark, documentId: mark, rev: 1 }])
      await arrived
      return [...events]
    },
    close: () => socket.disconnect(),
  }
}

/** A socket of an admin until the test ends. */
export const watchConflicts = closeAtEnd(openConflicts)
