import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * These ports lie below those that systems hand out, and below those of embedded databases, so that a free one stays free
 * until it is used.
 */
const FIRST_PORT = 10_000
const PORTS = 1_000
/** Every process of a run has ports of its own. */
const PROCESSES = 10
const PROCESS = Number(process.env.VITEST_POOL_ID ?? 0) % PROCESSES

let next = randomInt(PORTS)

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, exclusive: true })
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}

/** Returns a port that nobody uses, and that no other call returns. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + PROCESSES * (next++ % PORTS) + PROCESS
    if (await isFree(port)) return port
  }
}
