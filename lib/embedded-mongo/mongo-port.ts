import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { StartError } from '../errors.ts'
import { hasCode } from '../system/has-code.ts'
import { writeDurably } from '../system/write-durably.ts'

/** Below the ports that systems give to outgoing connections, so none of those is ever in the way. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_767]

export class PortTakenError extends StartError {}

const portFile = (dataDir: string) => join(dataDir, 'mongo.port')

/** The port that was chosen for a data folder; undefined when none is kept, or something else than one port. */
export async function readMongoPort(dataDir: string): Promise<number | undefined> {
  const text = await readFile(portFile(dataDir), 'utf8').catch(() => '')
  const port = /^\d+\s*$/.test(text) ? Number(text) : 0
  return port > 0 && port < 65_536 ? port : undefined
}

/**
 * The port of a data folder, chosen at the first start and kept.
 * @throws PortTakenError when another program listens there
 */
export async function takeMongoPort(dataDir: string): Promise<number> {
  const kept = await readMongoPort(dataDir)
  if (kept === undefined) return chooseMongoPort(dataDir)
  if (await isPortFree(kept)) return kept
  throw new PortTakenError(
    `Port ${kept}, which ${portFile(dataDir)} keeps for the embedded MongoDB, is taken by another program: stop that program, or delete the file to have another port chosen.`,
  )
}

async function chooseMongoPort(dataDir: string): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (!(await isPortFree(port))) continue
    await writeDurably(portFile(dataDir), `${port}\n`)
    return port
  }
}

async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true })
    await once(server, 'listening')
    return true
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) return false
    throw error
  } finally {
    server.close()
  }
}
