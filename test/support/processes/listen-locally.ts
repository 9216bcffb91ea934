import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Lets a server listen on a free port of this machine, and answers the port. */
export async function listenLocally(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A server that listens on TCP has an address of this form.
  return (server.address() as AddressInfo).port
}
