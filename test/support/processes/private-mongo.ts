import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { awaitPrimary, REPLICA_SET } from '../../../lib/embedded-mongo/run-mongod.ts'
import { freePort } from './free-port.ts'
import { findTestMongod, type MongodHistory, spawnMongod } from './spawn-mongod.ts'

const READY_WITHIN_MS = 60_000

export interface PrivateMongo {
  uri: string
  /** Ends it as a power cut would, and resolves when it is gone. */
  kill(): Promise<void>
  start(): void
  /** Stops it without ending it, and resolves when no thread of it runs: connections stay open and nothing answers. */
  freeze(): Promise<void>
  thaw(): void
  remove(): Promise<void>
}

/** A MongoDB of one's own, to kill and to start again; nothing watches over it. */
export async function startPrivateMongo(history: MongodHistory = {}): Promise<PrivateMongo> {
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-private-'))
  const [{ path }, port] = [await findTestMongod(), await freePort()]
  const settings = { dbPath: join(folder, 'mongo'), port, logPath: join(folder, 'mongod.log'), ...history }
  await mkdir(settings.dbPath)
  let mongod = spawnMongod(path, settings)
  await awaitPrimary({ port, readPid: async () => mongod.pid }, AbortSignal.timeout(READY_WITHIN_MS))

  const kill = async () => {
    mongod.kill('SIGKILL')
    await mongod.ended
  }
  return {
    uri: `mongodb://127.0.0.1:${port}/gamehall?replicaSet=${REPLICA_SET}`,
    kill,
    start: () => {
      mongod = spawnMongod(path, settings)
    },
    async freeze() {
      mongod.kill('SIGSTOP')
      await vi.waitUntil(() => isStopped(mongod.pid), { timeout: 10_000, interval: 5 })
    },
    thaw: () => mongod.kill('SIGCONT'),
    async remove() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A signal only asks: a busy machine lets a thread go on for a while, and that is enough to answer a command. */
async function isStopped(pid: number | undefined): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const tasks = await readdir(`/proc/${pid}/task`)
  const stats = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/stat`, 'utf8').catch(() => '')),
  )
  return stats.every((stat) => stat.slice(stat.lastIndexOf(')')).startsWith(') T'))
}
