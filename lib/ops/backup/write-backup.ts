import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientSession, Db, MongoClient } from 'mongodb'
import { pack } from 'tar-stream'
import { StartError } from '../../base/errors.ts'
import { hasCode } from '../../base/system/has-code.ts'
import { chunk } from '../../base/values/chunk.ts'
import { mapLimited } from '../../infrastructure/concurrency/map-limited.ts'
import { type MetaDocument, meta } from '../../infrastructure/db/collections/meta.ts'
import { TRANSIENT } from '../../infrastructure/db/connect.ts'
import { findObjectKeys, type ObjectKey, type Storage } from '../../infrastructure/storage/storage.ts'
import { MANIFEST, type Manifest, OBJECTS, OBJECTS_AT_ONCE, readParts, sha256 } from './archive.ts'

/** `SnapshotTooOld` and `SnapshotUnavailable`. */
const SNAPSHOT_GONE = [239, 246]

export async function listKept(db: Db): Promise<string[]> {
  const all = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()
  return all.flatMap(({ name }) => (name.startsWith('system.') || TRANSIENT.has(name) ? [] : [name])).sort()
}

interface Source {
  client: MongoClient
  db: Db
  storage: Storage | undefined
  show(describe: () => string): void
}

type Add = (name: string, bytes: Uint8Array) => Promise<void>

/** Adds the documents as of one moment, and returns the keys of the objects that they name. */
async function addDocuments(db: Db, session: ClientSession, { show }: Source, add: Add) {
  const names = await listKept(db)
  const { localTime } = await db.command({ hello: 1 })
  // The first read chooses the moment.
  const schema = await db.collection<MetaDocument>(meta.name).findOne({ _id: 'schema' }, { session })
  if (schema?.version === undefined || schema.app === undefined) {
    throw new StartError('There is nothing to back up: no start of gamehall has prepared this database')
  }
  const keys = new Set<ObjectKey>()
  const collections: Record<string, number> = {}
  for (const name of names) {
    let count = 0
    for await (const part of readParts(db.collection(name), session)) {
      await add(part.name, part.bytes)
      for (const key of findObjectKeys(part.bytes.toString('latin1'))) keys.add(key)
      count += part.count
      show(() => `${name}: ${count}`)
    }
    collections[name] = count
  }
  return { keys, collections, app: schema.app, schema: schema.version, at: new Date(localTime).toISOString() }
}

/** Adds the objects that the storage has, and returns the keys of the others. */
async function addObjects(storage: Storage, keys: ReadonlySet<ObjectKey>, { show }: Source, add: Add) {
  const missing: ObjectKey[] = []
  let count = 0
  for (const some of chunk([...keys], OBJECTS_AT_ONCE)) {
    const found = await mapLimited(some, OBJECTS_AT_ONCE, async (key) => ({ key, bytes: await storage.get(key) }))
    for (const { key, bytes } of found) {
      if (bytes === undefined) missing.push(key)
      else await add(`${OBJECTS}/${key}`, bytes)
    }
    count += some.length
    show(() => `objects: ${count} of ${keys.size}`)
  }
  return missing
}

/** Writes the documents as of one moment, then the objects that they name, then the manifest. */
export async function writeBackup(source: Source, sink: Writable): Promise<Manifest> {
  const { client, db, storage } = source
  const archive = pack()
  const written = pipeline(archive, sink)
  const put: Add = (name, bytes) => {
    const added = new Promise<void>((resolve, reject) => {
      const member = archive.entry({ name, size: bytes.length, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      )
      // A failure of the archive also fails its members.
      member.on('error', reject).end(bytes)
    })
    // When the sink fails, the member would wait forever.
    return Promise.race([added, written])
  }
  const members: Record<string, string> = {}
  const add: Add = async (name, bytes) => {
    members[name] = sha256(bytes)
    await put(name, bytes)
  }
  const session = client.startSession({ snapshot: true })
  try {
    const { keys, ...documents } = await addDocuments(db, session, source, add)
    const missing = storage === undefined ? [] : await addObjects(storage, keys, source, add)
    const objects = storage === undefined ? null : keys.size - missing.length
    const manifest: Manifest = { format: 1, ...documents, objects, missing, members }
    await put(MANIFEST, Buffer.from(JSON.stringify(manifest)))
    archive.finalize()
    await written
    return manifest
  } catch (error) {
    archive.destroy(error instanceof Error ? error : undefined)
    // The first error of the stream is the reason: every later member fails with another one.
    const reason = await written.catch((failed: unknown) => failed)
    if (!hasCode(reason, ...SNAPSHOT_GONE)) throw reason
    throw new StartError(
      'The database does not keep the moment of the backup: run it again, or raise minSnapshotHistoryWindowInSeconds of the server',
    )
  } finally {
    await session.endSession()
  }
}
