import { hostname } from 'node:os'
import { LRUCache } from 'lru-cache'
import { type ClientSession, type Collection, type Db, MongoClient, type MongoClientOptions } from 'mongodb'
import { StartError } from '../../base/errors.ts'
import { DATABASE_START_MS, DATABASE_TIMEOUTS, TURN_MS } from '../concurrency/timeouts.ts'
import { boundCommands } from './bound-commands.ts'
import type { CollectionDefinition } from './collections/collection-definition.ts'
import * as COLLECTIONS from './collections/collections.ts'
import { createIndexes } from './create-indexes.ts'
import { describeOutage, isDatabaseUnreachable } from './is-database-unreachable.ts'
import { migrate } from './migrate.ts'
import { printWhileWaiting } from './print-while-waiting.ts'
import { leaveOutUnreadable, type UnreadableDocument } from './readable-documents.ts'
import { rebuildMultikeyIndexes, refuseLists } from './scalar-fields.ts'
import { runTransaction } from './transaction.ts'
import { type PoolCounts, watchPool } from './watch-pool.ts'

export type CollectionName = keyof typeof COLLECTIONS

export const DEFINITIONS = Object.values<CollectionDefinition>(COLLECTIONS)

type DocumentOf<F> = F extends CollectionDefinition<infer D> ? D : never

type Collections = { [K in CollectionName]: Collection<DocumentOf<(typeof COLLECTIONS)[K]>> }

export interface Database extends Collections {
  /** See `runTransaction`. It ends with the request by default. */
  transaction<T>(work: (session: ClientSession) => Promise<T>, options?: { timeoutMs?: number }): Promise<T>
  /** Sets the listener for unreadable documents of other programs, called once for each. */
  onUnreadable(report: Report): void
  /** Reads as a request does, because a server answers a bare ping to a user that it refuses. */
  ping(): Promise<void>
  pool: PoolCounts
  /** The database for commands about itself. */
  raw: Db
  /** Opens a connection for the change stream, beside those of requests. */
  connectFeed(): FeedConnection
  close(): Promise<void>
}

export type FeedConnection = ReturnType<typeof openRaw>

/** The names of the collections that belong to running processes and signed-in devices. */
export const TRANSIENT: ReadonlySet<string> = new Set(
  DEFINITIONS.flatMap(({ name, isTransient }) => (isTransient ? [name] : [])),
)

/** Names the connections of a process at a database, for `currentOp` of the server; by default those of this process. */
export const connectionName = (database: string, owner = `${process.pid}@${hostname()}`) =>
  `gamehall ${database} ${owner}`

/** Opens a database without the schemas and time limits of its collections. @throws StartError for an address that cannot be used */
export function openRaw(uri: string, options: MongoClientOptions = {}) {
  try {
    const path = new URL(uri.replace(/^mongodb(\+srv)?:\/\/[^/]*/, 'mongodb://host')).pathname.slice(1)
    const name = path === '' ? 'gamehall' : decodeURIComponent(path)
    // A secondary may answer a value that the feed has already dropped from a cache.
    const client = new MongoClient(uri, { readPreference: 'primary', appName: connectionName(name), ...options })
    return { client, db: client.db(name) }
  } catch (error) {
    // The driver's message about an address names the wrong part, never a password.
    throw new StartError(`MONGODB_URI cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Report = (document: UnreadableDocument) => void

function openCollections(db: Db, maxTimeMs: number, report: Report): Collections {
  const opened = Object.entries<CollectionDefinition>(COLLECTIONS).map(([key, { name, readable = {} }]) => [
    key,
    leaveOutUnreadable(boundCommands(db.collection(name), maxTimeMs), readable, report),
  ])
  // Object.fromEntries loses the type of each key.
  return Object.fromEntries(opened) as Collections
}

const REPORTED_KEPT = 10_000

interface DatabaseOptions {
  /** Another way to the same database, for the change stream. */
  feedUri?: string
  timeouts?: typeof DATABASE_TIMEOUTS
}

/** Opens a database with the time limits of a request. The driver connects with the first command. */
export function openDatabase(
  uri: string,
  { feedUri = uri, timeouts = DATABASE_TIMEOUTS }: DatabaseOptions = {},
): Database {
  const { client, db } = openRaw(uri, { ...timeouts, maxPoolSize: 10 })

  let report: Report = () => {}
  const reported = new LRUCache<string, true>({ max: REPORTED_KEPT })
  // The database ends a command before the connection does.
  const collections = openCollections(db, timeouts.socketTimeoutMS - TURN_MS, (document) => {
    const key = `${document.collection} ${document.id}`
    if (!reported.has(key)) report(document)
    reported.set(key, true)
  })

  return {
    ...collections,
    onUnreadable(next) {
      report = next
    },
    transaction: (work, { timeoutMs = timeouts.socketTimeoutMS } = {}) => runTransaction(client, work, { timeoutMs }),
    pool: watchPool(client),
    ping: async () => {
      await collections.meta.findOne({ _id: 'schema' })
    },
    raw: db,
    connectFeed: () => openRaw(feedUri, { ...DATABASE_TIMEOUTS, minPoolSize: 0, maxPoolSize: 2 }),
    close: () => client.close(),
  }
}

interface Preparation {
  waitMs?: number
  /** Prints to a person what the preparation waits for, and what it found. */
  print?: (line: string) => void
}

/**
 * Makes a database ready for this release: waits for it, refuses one without transactions or of a newer release, migrates
 * it, and creates the indexes.
 * @throws StartError in one line
 */
export async function prepareDatabase(uri: string, { waitMs = DATABASE_START_MS, print = () => {} }: Preparation = {}) {
  const { client, db } = openRaw(uri, { serverSelectionTimeoutMS: waitMs })
  const outOfReach = (error: unknown) => new StartError(describeOutage(error))
  try {
    const describe = (seconds: number) => `Waiting for the database (${seconds} s)`
    const hello = await printWhileWaiting(print, describe, db.command({ hello: 1 })).catch((error: unknown) => {
      throw outOfReach(error)
    })
    if (hello.setName === undefined && hello.msg !== 'isdbgrid') {
      throw new StartError('MONGODB_URI must name a replica set or a mongos: transactions need one')
    }
    await migrate(db, { print })
    const created = new Set<CollectionDefinition>()
    for (const definition of DEFINITIONS) {
      if (await createIndexes(db, definition, print)) created.add(definition)
    }
    await refuseLists(db, DEFINITIONS, print)
    // The indexes of a new collection have never held a list, unless another program filled it before lists were refused.
    const filled = DEFINITIONS.map(async (definition) => {
      const isEmpty = created.has(definition) && (await db.collection(definition.name).findOne()) === null
      return isEmpty ? [] : definition
    })
    await rebuildMultikeyIndexes(db, (await Promise.all(filled)).flat(), print)
  } catch (error) {
    throw isDatabaseUnreachable(error) ? outOfReach(error) : error
  } finally {
    await client.close()
  }
}
