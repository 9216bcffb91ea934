import { openDatabase } from '#lib/infrastructure/db/connect'
import { closeAtEnd } from './close-at-end.ts'
import { acquireDatabase, releaseDatabase } from './database-pool.ts'
import { patientTimeouts } from './start-service.ts'

async function openTestDatabase() {
  const uri = await acquireDatabase()
  const db = openDatabase(uri, { timeouts: patientTimeouts() })
  return {
    uri,
    db,
    async close() {
      await db.close()
      await releaseDatabase(uri)
    },
  }
}

/** A prepared database for all tests of a file. */
export const useDatabase = closeAtEnd(openTestDatabase)
