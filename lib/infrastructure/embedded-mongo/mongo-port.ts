import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { hasCode } from '../../base/system/has-code.ts'

/** Below the ports that systems give to outgoing connections, so none of those is ever in the way. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_767]
const randomPort = () => randomInt(FIRST_PORT, LAST_PORT + 1)
const ANSWER_TIMEOUT_MS = 1_000

const portFile = (dataDir: string) => join(dataDir, 'mongo.port')

/** The port that the database was last started on. */
async function readPort(dataDir: string): Promise<number | undefined> {
  const port = Number(await readFile(portFile(dataDir), 'utf8').catch(() => ''))
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined
}

/** The last port, unless another program has it by now: a replica set that moves has to be told. */
export async function choosePort(dataDir: string): Promise<number> {
  let port = (await readPort(dataDir)) ?? randomPort()
  while (!(await isPortFree(port))) port = randomPort()
  return port
}

export const keepPort = (dataDir: string, port: number) => writeFile(portFile(dataDir), `${port}\n`)

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

/** The port of the mongod that runs on these data, if there is one, and whether it accepts writes. */
export async function findRunningMongod(
  dataDir: string,
  dbPath: string,
): Promise<{ port: number; isPrimary: boolean } | undefined> {
  const port = await readPort(dataDir)
  if (port === undefined || (await isPortFree(port))) return undefined
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: ANSWER_TIMEOUT_MS,
    socketTimeoutMS: ANSWER_TIMEOUT_MS,
  })
  try {
    const admin = client.db('admin')
    const { parsed } = await admin.command({ getCmdLineOpts: 1 })
    if (parsed?.storage?.dbPath !== dbPath) return undefined
    const { isWritablePrimary } = await admin.command({ hello: 1 })
    return { port, isPrimary: isWritablePrimary === true }
  } catch {
    return undefined
  } finally {
    await client.close()
  }
}
