import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { StartError } from '../../base/errors.ts'

interface ListenAddress {
  port: number
  host: string
}

function explain(error: NodeJS.ErrnoException, { port, host }: ListenAddress): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `PORT ${port} is in use on ${host}, perhaps by a gamehall that runs already: stop it, or set another PORT`,
      )
    case 'EACCES':
      return new StartError(`PORT ${port} may not be opened by this user: set another PORT`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`HOST ${host} is no address of this machine`)
    default:
      return error
  }
}

/** Starts listening and returns the port. @throws StartError when the address cannot be taken */
export async function listen(server: Server, address: ListenAddress): Promise<number> {
  server.listen(address.port, address.host)
  await once(server, 'listening').catch((error: Error) => {
    throw explain(error, address)
  })
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : address.port
}

/** Checks at the start that the port can be opened later. @throws StartError when the address cannot be taken */
export async function assertPortFree(address: ListenAddress): Promise<void> {
  const server = createServer()
  await listen(server, address)
  await new Promise((resolve) => server.close(resolve))
}
