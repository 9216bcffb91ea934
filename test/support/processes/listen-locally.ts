import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'

export async function listenLocally(server: NetServer): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A server that listens on TCP has an address of this form.
  return (server.address() as AddressInfo).port
}

/** Listens likewise; `close` also ends the open sockets. */
export async function serveLocally(server: Server) {
  const port = await listenLocally(server)
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
