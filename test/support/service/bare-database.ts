import { MongoClient } from 'mongodb'
import { prepareDatabase } from '#lib/infrastructure/db/connect'
import { closeAtEnd } from './close-at-end.ts'
import { newDatabaseUri } from './database-pool.ts'

async function openBareDatabase() {
  const uri = newDatabaseUri()
  const client = new MongoClient(uri)
  const db = client.db()

  return {
    uri,
    client,
    db,
    /** Prepares the database as a start does, and returns what a start prints. */
    async prepare(): Promise<string[]> {
      const lines: string[] = []
      await prepareDatabase(uri, { print: (line) => lines.push(line) })
      return lines
    },
    async close() {
      await db.dropDatabase()
      await client.close()
    },
  }
}

/** A new database without indexes, with the driver alone, as another program has it. */
export const useBareDatabase = closeAtEnd(openBareDatabase)
