import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, MongoClient } from 'mongodb'
import { StartError } from '../../base/errors.ts'
import { readFreeBytes } from '../../base/system/free-bytes.ts'
import { hasCode } from '../../base/system/has-code.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { Mongod } from './probe-mongod.ts'

export const REPLICA_SET = 'gamehall'

const START_TIMEOUT_MS = 120_000
/** A kill is safe, because the next start replays the journal. */
const KILL_AFTER_MS = 5_000
const POLL_MS = 10
const LOG_LIMIT_BYTES = 10_000_000
const ALREADY_INITIALIZED = 23

const WATCHDOG = createRequire(import.meta.url).resolve('mongodb-memory-server-core/scripts/mongo_killer.js')

const ARGUMENTS = [
  `--replSet=${REPLICA_SET}`,
  '--bind_ip=127.0.0.1',
  '--oplogSize=256',
  '--wiredTigerCacheSizeGB=0.5',
  '--nounixsocket',
  '--quiet',
  '--slowms=1000',
  // Small files of the journal, because each start reads the last one to its end: 0.3 s for the usual 100 MB.
  '--wiredTigerEngineConfigString=log=(enabled=true,remove=true,path=journal,compressor=snappy,file_max=16MB)',
  // The open transaction of a killed process blocks its documents until then.
  '--setParameter=transactionLifetimeLimitSeconds=3',
  // A backup reads one moment for up to an hour.
  '--setParameter=minSnapshotHistoryWindowInSeconds=3600',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  // A set of one member need not wait for others at a stop.
  '--setParameter=shutdownTimeoutMillisForSignaledShutdown=0',
]

interface MongodSettings {
  mongod: Mongod
  dbPath: string
  port: number
  logPath: string
  onExit?: ((reason: string) => void) | undefined
}

/** Starts mongod with the watchdog of mongodb-memory-server-core, which ends it when this process dies. */
function spawnMongod(path: string, args: readonly string[], log: FileHandle) {
  // A script may run mongod as its child, so signals go to the group, and the pipe closes when all its processes have ended.
  // The group is another one than that of the service: Ctrl-C in a terminal reaches only the service, which then stops mongod.
  const child = spawn(path, args, { detached: true, stdio: ['ignore', log.fd, log.fd, 'pipe'] })
  const watched = [WATCHDOG, String(process.pid), `-${child.pid}`]
  const watchdog = spawn(process.execPath, watched, { detached: true, stdio: 'ignore' })
  // Without a watchdog mongod is still stopped in order.
  watchdog.on('error', () => {}).unref()
  const ended = new AbortController()
  const exited = once(child, 'close')
    .then(([code, signal]) => signal ?? `exit code ${code}`, String)
    .then((reason: string) => {
      ended.abort(reason)
      watchdog.kill()
      return reason
    })

  const send = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined && !ended.signal.aborted) process.kill(-child.pid, signal)
    } catch {
      // The process has just ended.
    }
  }
  return {
    ended: ended.signal,
    exited,
    async stop() {
      send('SIGTERM')
      const timer = setTimeout(() => send('SIGKILL'), KILL_AFTER_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

/**
 * Runs a mongod as a replica set of one.
 * @returns the function that stops it, once it accepts writes; undefined when another mongod has the data or the port
 * @throws StartError when it does not start
 */
export async function runMongod(settings: MongodSettings): Promise<(() => Promise<void>) | undefined> {
  const { mongod, dbPath, port, logPath, onExit } = settings
  const { size } = await stat(logPath).catch(() => ({ size: 0 }))
  if (size > LOG_LIMIT_BYTES) await rename(logPath, `${logPath}.1`)
  const log = await open(logPath, 'a', 0o600)
  const { size: logStart } = await log.stat()
  // The name contains the process id, because another service may start on the same data and port.
  const pidFile = join(dbPath, `mongod-${process.pid}.pid`)
  const args = ['--dbpath', dbPath, '--port', String(port), '--pidfilepath', pidFile, ...ARGUMENTS]
  const { ended, exited, ...running } = spawnMongod(mongod.path, args, log)
  await log.close()
  let isStopping = false
  const stop = async () => {
    isStopping = true
    await running.stop()
  }
  const late = new AbortController()
  const timer = setTimeout(() => late.abort('it accepts no writes'), START_TIMEOUT_MS)
  try {
    const readPid = async () => Number(await readFile(pidFile))
    await awaitPrimary({ port, readPid }, AbortSignal.any([ended, late.signal]))
  } catch (reason) {
    await stop()
    const printed = (await readFile(logPath)).subarray(logStart).toString()
    if (/DBPathInUse|address already in use/i.test(printed)) return undefined
    const megabytes = Math.floor((await readFreeBytes(dbPath)) / 1_000_000)
    throw new StartError(
      `The embedded MongoDB could not be started (${reason}); its log is ${logPath}, where ${megabytes} MB are free`,
    )
  } finally {
    clearTimeout(timer)
    await rm(pidFile, { force: true })
  }
  void exited.then((reason) => {
    if (!isStopping) onExit?.(reason)
  })
  return stop
}

/** Waits until a mongod accepts writes, and makes it a replica set of one. The process id tells it from another mongod on the port. */
export async function awaitPrimary(
  { port, readPid }: { port: number; readPid: () => Promise<number | undefined> },
  signal: AbortSignal,
): Promise<void> {
  const host = `127.0.0.1:${port}`
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, {
    serverSelectionTimeoutMS: START_TIMEOUT_MS,
    minHeartbeatFrequencyMS: 20,
  })
  const admin = client.db('admin')
  async function isPrimary(): Promise<boolean> {
    try {
      const hello = await admin.command({ hello: 1 })
      if (hello.isreplicaset !== true && hello.isWritablePrimary !== true) return false
      const status = await admin.command({ serverStatus: 1 })
      if (Number(status.pid) !== (await readPid())) return false
      if (hello.isreplicaset === true) await initiateSet(admin, host)
      return hello.isWritablePrimary === true
    } catch {
      return false
    }
  }
  try {
    while (!(await withTimeout(signal, isPrimary()))) await sleep(POLL_MS)
  } finally {
    await client.close()
  }
}

/** Initiates the replica set, or gives the stored set the present port. */
async function initiateSet(admin: Db, host: string): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } })
  } catch (error) {
    if (!hasCode(error, ALREADY_INITIALIZED)) throw error
    const { config } = await admin.command({ replSetGetConfig: 1 })
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] }
    await admin.command({ replSetReconfig: moved, force: true })
  }
}
