import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { readConfig, readEnvironment } from '../../../lib/config.ts'
import { startEmbeddedMongo } from '../../../lib/embedded-mongo/embedded-mongo.ts'
import { findMongod } from '../../../lib/embedded-mongo/find-mongod.ts'
import { type MongodHistory, spawnMongod } from '../../../lib/embedded-mongo/mongod-process.ts'

export interface PrivateMongo {
  uri: string
  /** Ends it as a power cut would, and resolves when it is gone. */
  kill(): Promise<void>
  start(): void
  /** Stops it without ending it, and resolves when no thread of it runs: connections stay open and nothing answers. */
  freeze(): Promise<void>
  thaw(): void
  /** Ends it for good and removes its data. */
  remove(): Promise<void>
}

/** A MongoDB of one's own, to kill and to start again; nothing watches over it. */
export async function startPrivateMongo({ history }: { history?: MongodHistory } = {}): Promise<PrivateMongo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gamehall-private-'))
  const options = {
    ...readConfig(readEnvironment()),
    dataDir,
    log: { info: () => {}, warn: console.warn },
    ...(history && { history }),
  }
  const made = await startEmbeddedMongo(options)
  await made.stop()

  const { path: binary } = await findMongod(options)
  const settings = {
    binary,
    dbPath: join(dataDir, 'mongo'),
    port: Number(new URL(made.uri).port),
    logPath: join(dataDir, 'private.log'),
    ...(history && { history }),
  }
  let mongod = spawnMongod(settings)
  const kill = async () => {
    mongod.kill('SIGKILL')
    await mongod.ended
  }
  return {
    uri: made.uri,
    kill,
    start: () => {
      mongod = spawnMongod(settings)
    },
    async freeze() {
      mongod.kill('SIGSTOP')
      await vi.waitUntil(() => isStopped(mongod.pid), { timeout: 10_000, interval: 5 })
    },
    thaw: () => mongod.kill('SIGCONT'),
    async remove() {
      await kill()
      await rm(dataDir, { recursive: true, force: true })
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
