import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { StartError } from '../../base/errors.ts'
import { hasCode } from '../../base/system/has-code.ts'
import { makePrivateFolder } from '../../base/system/make-private-folder.ts'
import { type EmbeddedOptions, findMongod, keepRelease } from './find-mongod.ts'
import type { Mongod } from './probe-mongod.ts'
import { REPLICA_SET, runMongod } from './run-mongod.ts'

/** These ports are below those of outgoing connections, which therefore never occupy one of them. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_767]
const randomPort = () => randomInt(FIRST_PORT, LAST_PORT + 1)
const ANSWER_TIMEOUT_MS = 1_000

/** The size of a trial file, which shows that the disk is not full. */
const TRIAL_BYTES = 1_000_000
const portFile = (dataDir: string) => join(dataDir, 'mongo.port')

async function readPort(dataDir: string): Promise<number | undefined> {
  const port = Number(await readFile(portFile(dataDir), 'utf8').catch(() => ''))
  return port > 0 && port < 65_536 ? port : undefined
}

/** Chooses the port of the last start, because a replica set stores its port, or a random one where that is occupied. */
async function choosePort(dataDir: string): Promise<number> {
  let port = (await readPort(dataDir)) ?? randomPort()
  while (!(await isPortFree(port))) port = randomPort()
  return port
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

/** Finds the mongod that runs on these data, with its port, and whether it accepts writes. */
export async function findRunningMongod(dataDir: string, dbPath: string) {
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

/** The mongod of a killed service ends within this time, because its watchdog checks every two seconds. */
const IN_USE_TIMEOUT_MS = 10_000
const CHECK_EVERY_MS = 100

const toUri = (port: number) => `mongodb://127.0.0.1:${port}/gamehall?replicaSet=${REPLICA_SET}`

/** Starts the embedded MongoDB, whose mongod locks its data. @throws StartError when it cannot start */
export async function startEmbeddedMongo(options: EmbeddedOptions): Promise<{ uri: string; stop(): Promise<void> }> {
  const { canJoin, log, mustExist, onExit } = options
  if (mustExist && !existsSync(join(options.dataDir, 'mongo', 'WiredTiger')))
    throw new StartError(`There is no database in ${options.dataDir} yet: start the service once, or set DATA_DIR`)
  const dataDir = await makeDataDir(options)
  const dbPath = join(dataDir, 'mongo')

  let mongod: Mongod | undefined
  const until = performance.now() + IN_USE_TIMEOUT_MS
  for (let isLogged = false; performance.now() < until; isLogged = true) {
    const running = await findRunningMongod(dataDir, dbPath)
    if (running?.isPrimary && canJoin) return { uri: toUri(running.port), stop: async () => {} }
    if (running === undefined) {
      const port = await choosePort(dataDir)
      mongod ??= await findMongod({ ...options, dataDir })
      const stop = await runMongod({ mongod, dbPath, port, onExit, logPath: join(dataDir, 'mongod.log') })
      if (stop !== undefined) {
        await Promise.all([writeFile(portFile(dataDir), `${port}\n`), keepRelease(dataDir, mongod)])
        return { uri: toUri(port), stop }
      }
    }
    if (!isLogged) log.info(`The data in ${dataDir} are in use: waiting for a MongoDB that ends`)
    await sleep(CHECK_EVERY_MS)
  }
  // mongod stores its process id there.
  const mongodId = (await readFile(join(dbPath, 'mongod.lock'), 'utf8').catch(() => '')).trim()
  throw new StartError(
    `Another service is running on ${dataDir} (its MongoDB is process ${mongodId}): stop it first, or set another DATA_DIR.`,
  )
}

/** Makes the data folder and that of mongod. @returns the real path, by which a running mongod is recognised */
async function makeDataDir({ dataDir }: EmbeddedOptions): Promise<string> {
  const trial = join(dataDir, `trial-${process.pid}`)
  try {
    await makePrivateFolder(dataDir)
    // The disk of an existing folder may be read-only or full.
    await writeFile(trial, Buffer.alloc(TRIAL_BYTES), { flush: true })
    await makePrivateFolder(join(dataDir, 'mongo'))
    return await realpath(dataDir)
  } catch (error) {
    throw new StartError(`DATA_DIR cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await rm(trial, { force: true }).catch(() => {})
  }
}
