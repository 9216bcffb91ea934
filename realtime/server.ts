import type { Server as HttpServer } from 'node:http'
import { Server } from 'socket.io'
import type { Deps } from '../lib/deps.ts'

export interface Realtime {
  io: Server
  /** Closes every socket, so that its client reconnects, and the HTTP server with them. */
  close(): Promise<void>
}

export function attachRealtime(http: HttpServer, deps: Deps): Realtime {
  const io = new Server(http, { serveClient: false })
  deps.emit.attach(io)
  return {
    io,
    async close() {
      deps.emit.detach()
      await io.close()
    },
  }
}
