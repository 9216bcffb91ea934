import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Answers upgrades to any path but that of the sockets with 404 and closes their connections: nobody else would, and
 * once upgraded they are out of the HTTP server's sight. Returns how to end the others.
 */
export function guardUpgrades(http: Server, path: string): { destroyAll(): void } {
  const upgraded = new Set<Duplex>()
  function forget(this: Duplex) {
    upgraded.delete(this)
  }

  http.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    upgraded.add(socket)
    socket.on('close', forget)
    if (request.url?.startsWith(path)) return

    socket.on('error', () => socket.destroy())
    // The HTTP server leaves the other half open, so ending alone would wait for the client to close it.
    socket.end(NOT_FOUND, () => socket.destroy())
  })

  return {
    destroyAll() {
      for (const socket of upgraded) socket.destroy()
    },
  }
}
