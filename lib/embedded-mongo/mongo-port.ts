import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { hasCode } from '../system/has-code.ts'

/** Below the ports that systems give to outgoing connections, so none of those is ever in the way. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_767]
const ANSWER_TIMEOUT_MS = 1_000

export const portFile = (dataDir: string) => join(dataDir, 'mongo.port')

async function readPort(dataDir: string): Promise<number | undefined> {
  const text = await readFile(portFile(dataDir), 'utf8').catch(() => '')
  const port = /^\d+\s*$/.test(text) ? Number(text) : 0
  return port > 0 && port < 65_536 ? port : undefined
}

/** The port of a data folder, chosen once and kept: a replica set remembers its port. */
export async function chooseMongoPort(dataDir: string): Promise<number> {
  for (;;) {
    const kept = await readPort(dataDir)
    if (kept !== undefined) return kept
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (!(await isPortFree(port))) continue
    // What a power failure left half written names no port.
    await rm(portFile(dataDir), { force: true })
    await writeFile(portFile(dataDir), `${port}\n`, { flag: 'wx' }).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
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

/** Nobody, a mongod that runs on these data, or some other program, which a hanging mongod may be. */
export type PortUser = { is: 'nobody' | 'other' } | { is: 'ours'; isPrimary: boolean }

/** Finds who has a port of this machine. */
export async function findPortUser(port: number, dbPath: string): Promise<PortUser> {
  if (await isPortFree(port)) return { is: 'nobody' }
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: ANSWER_TIMEOUT_MS,
    socketTimeoutMS: ANSWER_TIMEOUT_MS,
  })
  try {
    const admin = client.db('admin')
    const { parsed } = await admin.command({ getCmdLineOpts: 1 })
    if (parsed?.storage?.dbPath !== dbPath) return { is: 'other' }
    const { isWritablePrimary } = await admin.command({ hello: 1 })
    return { is: 'ours', isPrimary: isWritablePrimary === true }
  } catch {
    return { is: 'other' }
  } finally {
    await client.close()
  }
}
