import { createWriteStream } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, MongoClient } from 'mongodb'
import { hasCode } from '../system/has-code.ts'
import type { Mongod } from './probe-mongod.ts'

export const REPLICA_SET = 'gamehall'

const START_TIMEOUT_MS = 120_000
const POLL_MS = 10
const LOG_LIMIT_BYTES = 10_000_000
const ALREADY_INITIALIZED = 23

const ARGUMENTS = [
  ...['--nounixsocket', '--quiet', '--slowms', '1000', '--wiredTigerCacheSizeGB', '0.5', '--oplogSize', '256'],
  // A journal in small files: each start reads the last one to its end, 0.3 s for the usual 100 MB.
  '--wiredTigerEngineConfigString',
  'log=(enabled=true,remove=true,path=journal,compressor=snappy,file_max=16MB)',
  // The open transaction of a killed process blocks its documents until then.
  ...['--setParameter', 'transactionLifetimeLimitSeconds=3'],
  ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
]

export interface MongodSettings {
  mongod: Mongod
  dbPath: string
  port: number
  logPath: string
  onExit?: ((reason: string) => void) | undefined
}

export type Stop = () => Promise<void>

/**
 * Runs a mongod as a replica set of one, with the library's watchdog, which ends it when this process dies.
 * @returns what stops it, when it accepts writes
 * @throws with the reason when it does not start
 */
export async function runMongod({ mongod, dbPath, port, logPath, onExit }: MongodSettings): Promise<Stop> {
  // Loaded by those alone who run a mongod. Unlike `MongoMemoryReplSet` it hands out the log and prints nothing itself.
  const library = await import('mongodb-memory-server-core/lib/util/MongoInstance.js')
  const { MongoInstance, MongoInstanceEvents: Events } = library
  class Instance extends MongoInstance {
    #rest = ''

    /** The library parses what arrives at once as one line, and throws where it is several or half of one. */
    override stdoutHandler(chunk: string | Buffer): void {
      const lines = `${this.#rest}${chunk}`.split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) super.stdoutHandler(line)
    }

    /** The library sends a shutdown to the port; before this mongod listens there, that is another one's. */
    override stop(): Promise<boolean> {
      this.isReplSet &&= this.isInstanceReady
      return super.stop()
    }
  }
  const instance = new Instance({
    instance: {
      ...{ dbPath, port, ip: '127.0.0.1', replSet: REPLICA_SET, storageEngine: 'wiredTiger' },
      ...{ args: ARGUMENTS, launchTimeout: START_TIMEOUT_MS },
    },
    binary: { systemBinary: mongod.path, version: mongod.version },
    // Ctrl-C in a terminal reaches the service alone, which then stops it.
    spawn: { detached: true },
  })
  const { size } = await stat(logPath).catch(() => ({ size: 0 }))
  if (size > LOG_LIMIT_BYTES) await rename(logPath, `${logPath}.1`)
  const logFile = createWriteStream(logPath, { flags: 'a', mode: 0o600 })
  for (const event of [Events.instanceSTDOUT, Events.instanceSTDERR]) {
    instance.on(event, (lines: string) => logFile.write(`${lines}\n`))
  }
  let isStopping = false
  const stop = async () => {
    isStopping = true
    await instance.stop()
    logFile.end()
  }

  const ended = new AbortController()
  instance.once(Events.instanceClosed, (code: number | null, signal: string | null) =>
    ended.abort(signal ?? `exit code ${code}`),
  )
  try {
    await instance.start()
    await awaitPrimary(port, AbortSignal.any([ended.signal, AbortSignal.timeout(START_TIMEOUT_MS)]))
  } catch (error) {
    await stop()
    throw error
  }
  const tellExit = () => {
    if (!isStopping) onExit?.(String(ended.signal.reason))
  }
  if (ended.signal.aborted) tellExit()
  else ended.signal.addEventListener('abort', tellExit)
  return stop
}

/** Waits until the mongod on this port accepts writes, and makes it a replica set of one where it is none yet. */
export async function awaitPrimary(port: number, signal: AbortSignal): Promise<void> {
  const host = `127.0.0.1:${port}`
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`)
  const admin = client.db('admin')
  const isPrimary = async () => {
    const hello = await admin.command({ hello: 1 })
    if (hello.isreplicaset === true) await takePlace(admin, host)
    return hello.isWritablePrimary === true
  }
  try {
    while (!(await isPrimary().catch(() => false))) await sleep(POLL_MS, undefined, { signal })
  } finally {
    await client.close()
  }
}

/** Gives the node its place in a set: a new one, or the stored one, which may name a port that is no longer kept. */
async function takePlace(admin: Db, host: string): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } })
  } catch (error) {
    if (!hasCode(error, ALREADY_INITIALIZED)) throw error
    const { config } = await admin.command({ replSetGetConfig: 1 })
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] }
    await admin.command({ replSetReconfig: moved, force: true })
  }
}
