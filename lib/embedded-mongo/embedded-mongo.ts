import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../errors.ts'
import { hasCode } from '../system/has-code.ts'
import { makePrivateFolder } from '../system/make-private-folder.ts'
import { type Holder, takeDataDirLock } from './data-dir-lock.ts'
import { readDataRelease, settleDataRelease, UNFINISHED } from './data-release.ts'
import type { EmbeddedLog, EmbeddedOptions } from './embedded-options.ts'
import { endOrphans } from './end-orphans.ts'
import { findMongod } from './find-mongod.ts'
import { PortTakenError, readMongoPort, takeMongoPort } from './mongo-port.ts'
import { REPLICA_SET } from './mongod-process.ts'
import { isWithoutData, prepareDbPath } from './prepare-db-path.ts'
import { awaitForeignPrimary } from './replica-set.ts'
import { runMongod } from './run-mongod.ts'

export type { EmbeddedOptions } from './embedded-options.ts'

export interface EmbeddedMongo {
  uri: string
  /** Whether this start made the database. */
  isFresh: boolean
  stop(): Promise<void>
}

const COMMAND_LIMIT_MS = 60_000
const LOOK_EVERY_MS = 100
const ORPHAN_ATTEMPTS = 5

const toDbPath = (dataDir: string) => join(dataDir, 'mongo')
const toUri = (port: number) => `mongodb://127.0.0.1:${port}/gamehall?replicaSet=${REPLICA_SET}`

/**
 * Starts the embedded MongoDB of a service, which then has the data folder for itself.
 * @throws StartError when another living service has it, when no mongod is found, or when it cannot run
 */
export async function startEmbeddedMongo(options: EmbeddedOptions): Promise<EmbeddedMongo> {
  return await openDataDir(options, 'service', async ({ pid }) => {
    throw new StartError(
      `Another service (process ${pid}) is running on ${options.dataDir}: stop it first, or set another DATA_DIR.`,
    )
  })
}

/**
 * Opens the embedded MongoDB for a command: that of the service running on the same data folder, or else one for the
 * time of the command.
 * @throws StartError as `startEmbeddedMongo`
 */
export async function openEmbeddedMongo(options: EmbeddedOptions): Promise<EmbeddedMongo> {
  return await openDataDir(options, 'command', async (_service, dataDir) => {
    const port = await readMongoPort(dataDir)
    // Before the first start is finished, its data may still be begun anew.
    if (port === undefined || (await readDataRelease(dataDir)) === UNFINISHED) return undefined
    const isReady = await awaitForeignPrimary({ port, dbPath: toDbPath(dataDir) }, AbortSignal.timeout(1_000)).then(
      () => true,
      () => false,
    )
    return isReady ? { uri: toUri(port), isFresh: false, stop: async () => {} } : undefined
  })
}

/**
 * Takes the data folder for a mongod of its own; while a service has it, `joinService` may answer instead. A command is
 * waited for.
 */
async function openDataDir(
  options: EmbeddedOptions,
  role: Holder['role'],
  joinService: (service: Holder, dataDir: string) => Promise<EmbeddedMongo | undefined>,
): Promise<EmbeddedMongo> {
  try {
    const dataDir = await makeDataDir(options)
    return await takeOrJoin({ ...options, dataDir }, role, joinService)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The embedded MongoDB could not be started: ${error}`)
  }
}

async function takeOrJoin(...[options, role, joinService]: Parameters<typeof openDataDir>): Promise<EmbeddedMongo> {
  const { dataDir } = options
  const until = performance.now() + COMMAND_LIMIT_MS
  let isAnnounced = false

  for (;;) {
    const { release, holder } = await takeDataDirLock(dataDir, role)
    if (release !== undefined) return await startHolding(options, release)
    const joined = holder.role === 'service' ? await joinService(holder, dataDir) : undefined
    if (joined !== undefined) return joined
    if (performance.now() > until) {
      throw new StartError(
        `The ${holder.role} (process ${holder.pid}) on ${dataDir} does not get ready: try again later.`,
      )
    }
    if (!isAnnounced) options.log.info(`Waiting for the ${holder.role} (process ${holder.pid}) on ${dataDir}`)
    isAnnounced = true
    await sleep(LOOK_EVERY_MS)
  }
}

const noDatabase = (dataDir: string) =>
  new StartError(`There is no database in ${dataDir} yet: start the service once, or set DATA_DIR`)

/** The real path, so that a mongod is recognised by it whatever way leads there. */
async function makeDataDir({ dataDir, mustExist }: EmbeddedOptions): Promise<string> {
  try {
    if (!mustExist) await makePrivateFolder(dataDir)
    return await realpath(dataDir)
  } catch (error) {
    if (mustExist && hasCode(error, 'ENOENT')) throw noDatabase(dataDir)
    throw new StartError(`DATA_DIR cannot be made: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function startHolding(options: EmbeddedOptions, release: () => Promise<void>): Promise<EmbeddedMongo> {
  try {
    return await startMongo(options, release)
  } catch (error) {
    await release()
    throw error
  }
}

async function startMongo(options: EmbeddedOptions, release: () => Promise<void>): Promise<EmbeddedMongo> {
  const { dataDir, log } = options
  const dbPath = toDbPath(dataDir)
  if (options.mustExist && (await isWithoutData(dataDir, dbPath))) throw noDatabase(dataDir)
  const isFresh = await prepareDbPath(options, dbPath)
  const { path: binary, version } = await findMongod(options)
  const { history } = options
  const logPath = join(dataDir, 'mongod.log')
  const { port, runner } = await whenFree(dbPath, log, async () => {
    const port = await takeMongoPort(dataDir)
    const settings = { binary, dbPath, port, logPath, ...(history && { history }) }
    const runner = await runMongod(settings, log, (client) => settleDataRelease(client, { dataDir, version, log }))
    return { port, runner }
  })
  let stopped: Promise<void> | undefined
  return {
    uri: toUri(port),
    isFresh,
    stop: () => {
      stopped ??= runner.stop().then(release)
      return stopped
    },
  }
}

/** Tells an orphan that is in the way. */
const isInUse = (error: unknown) =>
  error instanceof PortTakenError || (error instanceof StartError && error.message.includes('DBPathInUse'))

/** An orphan that was itself just starting is not known as one when it is looked for, but soon has the port and the data. */
async function whenFree<T>(dbPath: string, log: EmbeddedLog, start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (!isInUse(error) || attempt === ORPHAN_ATTEMPTS) throw error
      await sleep(LOOK_EVERY_MS)
      await endOrphans(dbPath, log)
    }
  }
}
