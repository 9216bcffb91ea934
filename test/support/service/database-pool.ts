import { randomUUID } from 'node:crypto'
import { type Db, type Document, MongoClient } from 'mongodb'
import { inject } from 'vitest'
import { prepareDatabase } from '#lib/infrastructure/db/connect'

/** Emptying more documents than these takes longer than making the indexes of a new database. */
const EMPTIED_MAX = 5_000

/** Prepared databases that no test uses; test files of one process share them. */
const idle: string[] = []
/** All that were prepared, by their names: another way to one, such as a proxy, has another address. */
const preparedNames = new Set<string>()

/** Reads the database of an address, which may list several hosts and is no URL then. */
const readName = (uri: string): string | undefined => /^mongodb:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1]

export const isPrepared = (uri: string): boolean => preparedNames.has(readName(uri) ?? '')

/** The address of a new database on the run's MongoDB, without indexes. */
export function newDatabaseUri(): string {
  const uri = new URL(inject('mongoUri'))
  uri.pathname = `/${inject('databasePrefix')}${randomUUID()}`
  return uri.href
}

async function prepareNew(): Promise<string> {
  const uri = newDatabaseUri()
  await prepareDatabase(uri)
  preparedNames.add(readName(uri) ?? '')
  return uri
}

/** The address of a prepared, empty database. */
export const acquireDatabase = async (): Promise<string> => idle.pop() ?? (await prepareNew())

/** Counts the declared indexes: a collection without any is there from its first document on. */
const countIndexes = ({ indexes, collections }: Document) => indexes - collections

let prepared: number | undefined

/** Empties a database. Returns false for one that is too full, or has other indexes than a prepared one. */
async function empty(db: Db): Promise<boolean> {
  const stats = await db.stats()
  if (stats.objects > EMPTIED_MAX || countIndexes(stats) !== prepared) return false
  // The stamp of the schema belongs to a prepared one.
  const others = { _id: { $ne: 'schema' as never } }
  if (stats.objects > 1) await Promise.all((await db.collections()).map((each) => each.deleteMany(others)))
  return true
}

/** Takes a database back from `acquireDatabase`: emptied for the next test, or dropped when it is no longer as prepared. */
export async function releaseDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri, { maxPoolSize: 4 })
  const db = client.db(new URL(uri).pathname.slice(1))
  try {
    if (prepared === undefined) {
      const fresh = await prepareNew()
      prepared = countIndexes(await client.db(new URL(fresh).pathname.slice(1)).stats())
      idle.push(fresh)
    }
    if (await empty(db)) idle.push(uri)
    else await db.dropDatabase()
  } finally {
    await client.close()
  }
}
