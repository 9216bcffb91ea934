import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { awaitPrimary, REPLICA_SET } from '#lib/infrastructure/embedded-mongo/run-mongod'
import { closeAtEnd } from '../service/close-at-end.ts'
import { findTestMongod } from './find-test-mongod.ts'
import { freePort } from './free-port.ts'

const READY_WITHIN_MS = 60_000

export type PrivateMongo = Awaited<ReturnType<typeof startPrivateMongo>>

interface StartOptions {
  more?: readonly string[]
  /** True for a server that is no replica set. */
  isAlone?: boolean
}

/**
 * Starts a MongoDB that a test may kill and start again. Its oplog, which change streams read, is shortened up to the last
 * checkpoint.
 */
export async function startPrivateMongo({ oplogMb = 256, checkpointSeconds = 60 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-private-'))
  const [{ path }, port, dbPath] = [await findTestMongod(), await freePort(), join(folder, 'mongo')]
  await mkdir(dbPath)
  const args = [
    `--dbpath=${dbPath}`,
    `--port=${port}`,
    '--bind_ip=127.0.0.1',
    '--nounixsocket',
    '--quiet',
    '--wiredTigerCacheSizeGB=0.5',
    `--oplogSize=${oplogMb}`,
    `--syncdelay=${checkpointSeconds}`,
    '--setParameter=transactionLifetimeLimitSeconds=3',
    '--setParameter=diagnosticDataCollectionEnabled=false',
  ]
  const log = openSync(join(folder, 'mongod.log'), 'a')
  const start = ({ more = [], isAlone = false }: StartOptions = {}) => {
    const child = spawn(path, [...args, ...(isAlone ? [] : [`--replSet=${REPLICA_SET}`]), ...more], {
      detached: true,
      stdio: ['ignore', log, log],
    })
    return { child, ended: once(child, 'exit') }
  }
  let mongod = start()
  await awaitPrimary({ port, readPid: async () => mongod.child.pid }, AbortSignal.timeout(READY_WITHIN_MS))

  const kill = async () => {
    mongod.child.kill('SIGKILL')
    await mongod.ended
  }
  return {
    uri: `mongodb://127.0.0.1:${port}/gamehall?replicaSet=${REPLICA_SET}`,
    /** Ends it as a power cut would, and resolves when it is gone. */
    kill,
    start: (options?: StartOptions) => {
      mongod = start(options)
    },
    folder,
    /** Stops it without ending it, and resolves when no thread of it runs: connections stay open and nothing answers. */
    async freeze() {
      mongod.child.kill('SIGSTOP')
      await vi.waitUntil(() => isStopped(mongod.child.pid), { timeout: 10_000, interval: 5 })
    },
    thaw: () => void mongod.child.kill('SIGCONT'),
    async close() {
      await kill()
      closeSync(log)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const usePrivateMongo = closeAtEnd(startPrivateMongo)

/** A signal only asks: on a busy machine a thread may go on for a while, and answer a command. */
async function isStopped(pid: number | undefined): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const tasks = await readdir(`/proc/${pid}/task`)
  const stats = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/stat`, 'utf8').catch(() => '')),
  )
  return stats.every((stat) => stat.slice(stat.lastIndexOf(')')).startsWith(') T'))
}
