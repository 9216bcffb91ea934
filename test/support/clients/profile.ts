import { MongoClient } from 'mongodb'
import { inject } from 'vitest'
import type { Database } from '../../../lib/db/connect.ts'

/** How the server answered one command. */
export interface ProfiledCommand {
  op: 'command' | 'query' | 'update' | 'insert' | 'remove' | 'getmore'
  /** `IXSCAN { … }`, `COLLSCAN`, `IDHACK`, … */
  planSummary: string
  keysExamined: number
  docsExamined: number
  /** There when it sorted in memory. */
  hasSortStage?: true
}

/** Does some work and tells how the server answered each read and write of a collection meanwhile. */
export async function profile(
  db: Database,
  collection:
    | 'users'
    | 'staffActions'
    | 'games'
    | 'characters'
    | 'platforms'
    | 'comments'
    | 'conflicts'
    | 'contentRequests'
    | 'notifications',
  work: () => Promise<unknown>,
): Promise<ProfiledCommand[]> {
  const client = new MongoClient(inject('mongoUri'))
  const server = client.db(db[collection].dbName)
  try {
    // Plans that were chosen for the few rows of an earlier test file would be kept.
    await server.command({ planCacheClear: db[collection].collectionName })
    await server.command({ profile: 2 })
    await work()
    await server.command({ profile: 0 })
    return await server
      .collection('system.profile')
      .find<ProfiledCommand>({ ns: db[collection].namespace, planSummary: { $exists: true } })
      .toArray()
  } finally {
    await server.command({ profile: 0 })
    await server.dropCollection('system.profile')
    await client.close()
  }
}
