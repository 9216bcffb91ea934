import { createServer } from 'node:http'
import { promisify } from 'node:util'
import type { Deps } from '#lib/deps'
import { PENDING_CONNECTION_MS } from '#lib/infrastructure/concurrency/timeouts'
import { createMetrics } from '#lib/infrastructure/observability/metrics'
import type { ServedNamespace } from '../../../realtime/define-namespace.ts'
import { createEmitter } from '../../../realtime/emitter.ts'
import { namespaces } from '../../../realtime/namespaces.ts'
import { createPendingConnections } from '../../../realtime/pending-connections.ts'
import { attachRealtime } from '../../../realtime/server.ts'
import { listenLocally } from '../processes/listen-locally.ts'
import { closeAtEnd } from './close-at-end.ts'

export type TestRealtime = Awaited<ReturnType<typeof startRealtime>>

interface RealtimeOptions {
  /** A namespace more than those of the service. */
  more?: ServedNamespace
  /** How long a connection may wait for its admission. */
  pendingMs?: number
}

/** Starts the sockets alone, for what the whole service does not show. */
export async function startRealtime(
  deps: Deps,
  { more, pendingMs: timeoutMs = PENDING_CONNECTION_MS }: RealtimeOptions = {},
) {
  const http = createServer()
  const own = { ...deps, emit: createEmitter(deps), metrics: createMetrics() }
  const { io, close } = attachRealtime(http, own, {
    served: more === undefined ? namespaces : [...namespaces, more],
    pending: createPendingConnections(own.config, { timeoutMs }),
  })
  const port = await listenLocally(http)
  return {
    io,
    emit: own.emit,
    /** Counts by reason of a metric of refusals. */
    async countReasons(name: 'handshakesRefused' | 'socketsDisconnected') {
      const { values } = await own.metrics[name].get()
      return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]))
    },
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    /** Open TCP connections, upgraded ones included. */
    countConnections: promisify(http.getConnections.bind(http)),
    close,
  }
}

export const useRealtime = closeAtEnd(startRealtime)
