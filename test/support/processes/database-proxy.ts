import { closeAtEnd } from '../service/close-at-end.ts'
import { acquireDatabase, releaseDatabase } from '../service/database-pool.ts'
import { startCutProxy } from './cut-proxy.ts'

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>

/** A way to the run's MongoDB that can be cut; without an address it leads to a database of its own on the run's MongoDB. */
export async function startDatabaseProxy(given?: string) {
  const uri = given ?? (await acquireDatabase())
  const target = new URL(uri)
  const proxy = await startCutProxy(Number(target.port), target.hostname)
  return {
    ...proxy,
    uri: `mongodb://127.0.0.1:${proxy.port}${target.pathname}?directConnection=true`,
    /** The database's own address, which nothing cuts. */
    target: uri,
    async close() {
      await proxy.close()
      if (given === undefined) await releaseDatabase(uri)
    },
  }
}

export const useDatabaseProxy = closeAtEnd(startDatabaseProxy)
