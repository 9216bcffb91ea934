import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { vi } from 'vitest'
import { REPLICA_SET } from '../../../lib/embedded-mongo/run-mongod.ts'
import { freePort } from './free-port.ts'
import { findTestMongod, spawnMongod } from './spawn-mongod.ts'

export interface ReplicaSetOfThree {
  uri: string
  /** Lets another member become the primary, and resolves when it is. */
  stepDown(): Promise<void>
  remove(): Promise<void>
}

const WAIT = { timeout: 90_000, interval: 200 }

export async function startReplicaSetOfThree(): Promise<ReplicaSetOfThree> {
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-three-'))
  const binary = await findTestMongod()
  const ports = [await freePort(), await freePort(), await freePort()]
  const members = await Promise.all(
    ports.map(async (port) => {
      const dbPath = join(folder, String(port))
      await mkdir(dbPath)
      return spawnMongod(binary, { dbPath, port, logPath: join(folder, `${port}.log`), oplogMb: 50 })
    }),
  )
  const hosts = ports.map((port) => `127.0.0.1:${port}`)
  const first = new MongoClient(`mongodb://${hosts[0]}/?directConnection=true`, { serverSelectionTimeoutMS: 60_000 })
  // Members that do not answer yet would refuse the set.
  for (const host of hosts) {
    const member = new MongoClient(`mongodb://${host}/?directConnection=true`, { serverSelectionTimeoutMS: 60_000 })
    await member.db('admin').command({ ping: 1 })
    await member.close()
  }
  const config = { _id: REPLICA_SET, members: hosts.map((host, _id) => ({ _id, host })) }
  await first.db('admin').command({ replSetInitiate: { ...config, settings: { electionTimeoutMillis: 10_000 } } })

  const uri = `mongodb://${hosts.join(',')}/gamehall?replicaSet=${REPLICA_SET}`
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 60_000 })
  const findPrimary = async (): Promise<string | undefined> => {
    const { primary } = await client.db('admin').command({ hello: 1 })
    return primary
  }
  await vi.waitUntil(() => findPrimary().catch(() => undefined), WAIT)

  return {
    uri,
    async stepDown() {
      const before = await findPrimary()
      const isAnother = async () => {
        const now = await findPrimary().catch(() => undefined)
        return now !== undefined && now !== before
      }
      // Refused while no other member has caught up.
      const askToStepDown = () =>
        client
          .db('admin')
          .command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 })
          .catch(() => undefined)
      while (!(await isAnother())) await askToStepDown()
    },
    async remove() {
      await Promise.all([first.close(), client.close()])
      for (const member of members) member.kill('SIGKILL')
      await Promise.all(members.map(({ ended }) => ended))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
