import { type Collection, type Db, type Document, MongoClient } from 'mongodb'
import { StartError } from '../errors.ts'
import { type CharacterDocument, characters } from './characters.ts'
import type { CollectionFacts } from './collection-facts.ts'
import { type CommentDocument, comments } from './comments.ts'
import { type GameDocument, games } from './games.ts'
import { type PlatformDocument, platforms } from './platforms.ts'
import { type PresetsDocument, presets } from './presets.ts'
import { type RefreshTokenDocument, refreshTokens } from './refresh-tokens.ts'
import { type SeedDocument, seeds } from './seeds.ts'
import { type UserDocument, users } from './users.ts'

const COLLECTIONS = { characters, comments, games, platforms, presets, refreshTokens, seeds, users }

export interface Database {
  users: Collection<UserDocument>
  presets: Collection<PresetsDocument>
  refreshTokens: Collection<RefreshTokenDocument>
  games: Collection<GameDocument>
  characters: Collection<CharacterDocument>
  platforms: Collection<PlatformDocument>
  comments: Collection<CommentDocument>
  seeds: Collection<SeedDocument>
  /** Resolves when the database answers, within about two seconds. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A request must hear of an outage within 3 s, so no part of a command may wait longer than this. */
const REQUEST_TIMEOUTS = {
  serverSelectionTimeoutMS: 1_500,
  connectTimeoutMS: 1_500,
  waitQueueTimeoutMS: 1_500,
  socketTimeoutMS: 2_500,
  heartbeatFrequencyMS: 1_000,
  minHeartbeatFrequencyMS: 100,
}

/** The database that an address names, `gamehall` when it names none. */
const openDb = (client: MongoClient, uri: string): Db => {
  const path = new URL(uri.replace(/^mongodb(\+srv)?:\/\/[^/]*/, 'mongodb://host')).pathname.slice(1)
  return client.db(path === '' ? 'gamehall' : decodeURIComponent(path))
}

/**
 * Connects with the time limits of a request.
 * @throws nothing at first: the driver connects with the first command
 */
export function openDatabase(uri: string): Database {
  const client = new MongoClient(uri, { ...REQUEST_TIMEOUTS, maxPoolSize: 10, ignoreUndefined: true })
  const db = openDb(client, uri)

  return {
    users: db.collection(users.name),
    presets: db.collection(presets.name),
    refreshTokens: db.collection(refreshTokens.name),
    games: db.collection(games.name),
    characters: db.collection(characters.name),
    platforms: db.collection(platforms.name),
    comments: db.collection(comments.name),
    seeds: db.collection(seeds.name),
    ping: async () => {
      await db.command({ ping: 1 })
    },
    close: () => client.close(),
  }
}

/**
 * Makes a database ready for this release: waits for it, refuses one without transactions, creates the indexes.
 * @throws StartError in one line
 */
export async function prepareDatabase(uri: string, { waitMs = 30_000 }: { waitMs?: number } = {}): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: waitMs })
  try {
    const db = openDb(client, uri)
    const hello = await db.command({ hello: 1 }).catch((error: unknown) => {
      throw new StartError(`The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`)
    })
    if (hello.setName === undefined && hello.msg !== 'isdbgrid') {
      throw new StartError('MONGODB_URI must name a replica set or a mongos: transactions need one')
    }
    for (const { name, indexes } of Object.values<CollectionFacts>(COLLECTIONS)) {
      await createIndexes(db, name, indexes)
    }
  } finally {
    await client.close()
  }
}

async function createIndexes(db: Db, name: string, indexes: CollectionFacts['indexes']): Promise<void> {
  const collection = db.collection<Document>(name)
  for (const { key, ...options } of indexes) await collection.createIndex(key, options)
}
