import type { Collection, Db } from 'mongodb'
import { StartError } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { leases } from './collections/leases.ts'
import { type MetaDocument, meta } from './collections/meta.ts'
import { isDuplicateKey } from './duplicate-key.ts'
import { withLease } from './lease.ts'
import { MIGRATIONS, type Migration } from './migrations/migrations.ts'

const LEASE_MS = 15_000

/** The form of the documents that this release reads and writes. */
export const SCHEMA = MIGRATIONS.length + 1

/** Reads the schema of a database; undefined for a new one. @throws StartError when a newer release wrote it, or a restore has not ended */
export async function readSchema(collection: Collection<MetaDocument>, newest = SCHEMA): Promise<number | undefined> {
  const documents = await collection.find({}, { projection: { version: 1, app: 1 } }).toArray()
  if (documents.some(({ _id }) => _id === 'restore')) {
    throw new StartError(
      'a restore into this database has not ended: run npm run restore again with the same file, or drop the database',
    )
  }
  const { version, app } = documents.find(({ _id }) => _id === 'schema') ?? {}
  if (version !== undefined && version > newest) {
    throw new StartError(
      `this database was written by ${app} (schema ${version}), and ${VERSION} knows schema ${newest}: start ${app} or newer, or restore a backup of ${VERSION}`,
    )
  }
  return version
}

interface Options {
  migrations?: readonly Migration[]
  leaseMs?: number
  print?(line: string): void
}

/**
 * Brings a database to the schema of this release. One instance at a time migrates; the others wait, and continue where a killed
 * instance stopped. A new database runs every migration, too, on no document.
 * @throws StartError as `readSchema`
 */
export async function migrate(
  db: Db,
  { migrations = MIGRATIONS, leaseMs = LEASE_MS, print = () => {} }: Options = {},
): Promise<void> {
  const collection = db.collection<MetaDocument>(meta.name)
  for (;;) {
    const version = await readSchema(collection, migrations.length + 1)
    if (version === undefined) {
      const stamp = { $setOnInsert: { version: 1, app: VERSION } }
      await collection.updateOne({ _id: 'schema' }, stamp, { upsert: true }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
      continue
    }
    const migration = migrations[version - 1]
    if (migration === undefined) {
      await collection.updateOne({ _id: 'schema', version }, { $set: { app: VERSION } })
      return
    }
    await withLease(db.collection(leases.name), { id: 'schema', lastsMs: leaseMs }, async ({ lost }) => {
      // Another instance may have run it before the lease was free.
      if ((await readSchema(collection, migrations.length + 1)) !== version) return
      print(`Migrating the database to schema ${version + 1}: ${migration.name}`)
      await migration.run(db, lost)
      await collection.updateOne({ _id: 'schema', version }, { $set: { version: version + 1, app: VERSION } })
    })
  }
}
