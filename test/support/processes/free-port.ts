import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to whoever asks for any, and below those of embedded databases, so that what is free
 * stays free until it is used.
 */
const FIRST_PORT = 10_000
const PORTS = 1_000
/** Every process of a run has ports of its own. */
const PROCESSES = 10
const OWN = Number(process.env.VITEST_POOL_ID ?? 0) % PROCESSES

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

/** A port that nobody uses, and that nobody else is given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + PROCESSES * (next++ % PORTS) + OWN
    if (await isFree(port)) return port
  }
}
