import { MongoClient } from 'mongodb'
import { expect, inject } from 'vitest'
import type { Database } from '#lib/infrastructure/db/connect'

export interface ProfiledCommand {
  op: 'command' | 'query' | 'update' | 'insert' | 'remove' | 'getmore'
  /** `IXSCAN { … }`, `COLLSCAN`, `IDHACK`, … */
  planSummary: string
  keysExamined: number
  docsExamined: number
  /** Present when the server sorted in memory. */
  hasSortStage?: true
}

/** Does some work and lists how the server answered each read and write of a collection meanwhile. */
export async function profile(
  db: Database,
  collection: keyof Database,
  work: () => Promise<unknown>,
): Promise<ProfiledCommand[]> {
  const client = new MongoClient(inject('mongoUri'))
  const server = client.db(db.raw.databaseName)
  try {
    // The server would keep the plans that it chose for the few rows of an earlier test file.
    await server.command({ planCacheClear: collection })
    await server.command({ profile: 2 })
    await work()
    await server.command({ profile: 0 })
    return await server
      .collection('system.profile')
      .find<ProfiledCommand>({ ns: `${server.databaseName}.${collection}`, planSummary: { $exists: true } })
      .toArray()
  } finally {
    await server.command({ profile: 0 })
    await server.dropCollection('system.profile')
    await client.close()
  }
}

/** Expects that an index answers each command, without a sort in memory, and that each examines at most so much. */
export function expectIndexed(
  commands: readonly ProfiledCommand[],
  { keys = Number.POSITIVE_INFINITY, docs = Number.POSITIVE_INFINITY } = {},
): void {
  for (const { planSummary, hasSortStage, keysExamined, docsExamined } of commands) {
    expect(planSummary).toMatch(/^(IXSCAN|COUNT_SCAN|RECORD_STORE_FAST_COUNT|IDHACK|EXPRESS)/)
    expect(hasSortStage).toBeUndefined()
    expect(keysExamined).toBeLessThanOrEqual(keys)
    expect(docsExamined).toBeLessThanOrEqual(docs)
  }
}
