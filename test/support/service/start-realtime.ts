import { createServer } from 'node:http'
import { promisify } from 'node:util'
import type { Deps } from '../../../lib/deps.ts'
import type { Emitter } from '../../../lib/emitter.ts'
import { createMetrics } from '../../../lib/observability/metrics.ts'
import type { ServedNamespace } from '../../../realtime/define-namespace.ts'
import { createEmitter } from '../../../realtime/emitter.ts'
import { installNamespace, type RealtimeServer } from '../../../realtime/install-namespace.ts'
import { attachRealtime } from '../../../realtime/server.ts'

export interface TestRealtime {
  io: RealtimeServer
  emit: Emitter
  port: number
  baseUrl: string
  /** Open TCP connections, upgraded ones included. */
  countConnections(): Promise<number>
  close(): Promise<void>
}

/** Starts the sockets alone, with a namespace more; for what the whole service does not show. */
export async function startRealtime(deps: Deps, more?: ServedNamespace): Promise<TestRealtime> {
  const http = createServer()
  const own = { ...deps, emit: createEmitter(deps), metrics: createMetrics() }
  const { io, close } = attachRealtime(http, own)
  if (more !== undefined) installNamespace(io, more, own)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen')
  return {
    io,
    emit: own.emit,
    port: address.port,
    baseUrl: `http://127.0.0.1:${address.port}`,
    countConnections: promisify(http.getConnections.bind(http)),
    close,
  }
}
