import { closeAtEnd } from '../service/close-at-end.ts'
import { acquireDatabase, releaseDatabase } from '../service/database-pool.ts'
import { startCutProxy } from './cut-proxy.ts'

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>

/** Starts a proxy to a database that can be cut, by default to an empty database on the run's MongoDB. */
export async function startDatabaseProxy(target?: string) {
  const uri = target ?? (await acquireDatabase())
  const { port, hostname, pathname } = new URL(uri)
  const proxy = await startCutProxy(Number(port), hostname)
  return {
    ...proxy,
    uri: `mongodb://127.0.0.1:${proxy.port}${pathname}?directConnection=true`,
    /** The address of the database itself, which nothing cuts. */
    target: uri,
    async close() {
      await proxy.close()
      if (target === undefined) await releaseDatabase(uri)
    },
  }
}

export const useDatabaseProxy = closeAtEnd(startDatabaseProxy)
