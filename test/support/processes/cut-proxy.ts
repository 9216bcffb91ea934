import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A wire to the service that can be cut. */
export async function startCutProxy(port: number) {
  const sockets = new Set<Socket>()
  let isDown = false
  const server = createServer((incoming) => {
    if (isDown) return incoming.resetAndDestroy()
    const outgoing = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on a TCP port has such an address.
  const { port: own } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    baseUrl: `http://127.0.0.1:${own}`,
    /** Ends what is open; what is opened next gets through. */
    cut,
    /** Ends what is open and lets nothing through until it is restored. */
    takeDown() {
      isDown = true
      cut()
    },
    restore() {
      isDown = false
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
