import { randomUUID } from 'node:crypto'
import { type Db, MongoClient } from 'mongodb'
import { inject } from 'vitest'
import { prepareDatabase } from '#lib/infrastructure/db/connect'

/** Emptying more documents than these takes longer than making the indexes of a new database. */
const EMPTIED_MAX = 5_000

/** Prepared databases that no test uses; test files of one process share them. */
const idle: string[] = []

/** The address of a new database on the run's MongoDB, without indexes. */
export function newDatabaseUri(): string {
  const uri = new URL(inject('mongoUri'))
  uri.pathname = `/${inject('databasePrefix')}${randomUUID()}`
  return uri.href
}

export async function acquireDatabase(): Promise<string> {
  const kept = idle.pop()
  if (kept !== undefined) return kept
  const uri = newDatabaseUri()
  await prepareDatabase(uri)
  return uri
}

const countIndexes = async (db: Db) => (await db.stats()).indexes

let prepared: number | undefined

/** Whether a database is empty now, with the indexes of a prepared one. */
async function empty(db: Db): Promise<boolean> {
  const { objects, indexes } = await db.stats()
  if (objects > EMPTIED_MAX || indexes !== prepared) return false
  if (objects > 0) await Promise.all((await db.collections()).map((each) => each.deleteMany({})))
  return true
}

/** Takes a database back from `acquireDatabase`: emptied for the next test, or dropped when it is no longer as prepared. */
export async function releaseDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri)
  const db = client.db(new URL(uri).pathname.slice(1))
  try {
    if (prepared === undefined) {
      const fresh = newDatabaseUri()
      await prepareDatabase(fresh)
      prepared = await countIndexes(client.db(new URL(fresh).pathname.slice(1)))
      idle.push(fresh)
    }
    if (await empty(db)) idle.push(uri)
    else await db.dropDatabase()
  } finally {
    await client.close()
  }
}
