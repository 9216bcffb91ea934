import { MongoClient } from 'mongodb'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { REPLICA_SET } from '#lib/infrastructure/embedded-mongo/run-mongod'
import { findTestMongod } from './find-test-mongod.ts'

export async function startReplicaSetOfThree() {
  const { path: systemBinary, version } = await findTestMongod()
  const args = ['--setParameter', 'diagnosticDataCollectionEnabled=false', '--oplogSize', '50']
  const set = await MongoMemoryReplSet.create({
    binary: { systemBinary, version },
    instanceOpts: Array.from({ length: 3 }, () => ({ args, launchTimeout: 60_000 })),
    replSet: {
      name: REPLICA_SET,
      dbName: 'gamehall',
      storageEngine: 'wiredTiger',
      configSettings: { electionTimeoutMillis: 10_000 },
    },
  })
  const uri = set.getUri('gamehall')
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 60_000 })
  const findPrimary = async (): Promise<string | undefined> => {
    const { primary } = await client.db('admin').command({ hello: 1 })
    return primary
  }

  return {
    uri,
    async stepDown() {
      const before = await findPrimary()
      const isAnother = async () => {
        const now = await findPrimary().catch(() => undefined)
        return now !== undefined && now !== before
      }
      // The primary refuses while no other member has caught up.
      const askToStepDown = () =>
        client
          .db('admin')
          .command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 })
          .catch(() => undefined)
      while (!(await isAnother())) await askToStepDown()
    },
    async remove() {
      await client.close()
      await set.stop()
    },
  }
}
