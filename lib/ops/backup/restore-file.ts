import { setTimeout as sleep } from 'node:timers/promises'
import { BSON, type Collection, type Db, type Document, MongoBulkWriteError, type MongoClient } from 'mongodb'
import { StartError } from '../../base/errors.ts'
import { mapLimited } from '../../infrastructure/concurrency/map-limited.ts'
import { type MetaDocument, meta } from '../../infrastructure/db/collections/meta.ts'
import { platforms } from '../../infrastructure/db/collections/platforms.ts'
import { seeds } from '../../infrastructure/db/collections/seeds.ts'
import { serviceKeys } from '../../infrastructure/db/collections/service-keys.ts'
import { connectionName } from '../../infrastructure/db/connect.ts'
import { DUPLICATE_KEY } from '../../infrastructure/db/duplicate-key.ts'
import { SCHEMA } from '../../infrastructure/db/migrate.ts'
import { detectImageType } from '../../infrastructure/storage/image-type.ts'
import { isObjectKey, type ObjectKey, type Storage } from '../../infrastructure/storage/storage.ts'
import { DOCUMENTS, type Manifest, OBJECTS, OBJECTS_AT_ONCE, readCheckedMembers, readParts, sha256 } from './archive.ts'
import { listKept } from './write-backup.ts'

/** The server may list the connections of an ended process for this time. */
const OTHERS_END_MS = 5_000
/** Collections that a start may have filled. */
const REPLACED: readonly string[] = [platforms.name, seeds.name]

interface Target {
  client: MongoClient
  db: Db
  storage: Storage | undefined
  areKeysKept: boolean
  show(describe: () => string): void
}

interface CheckedFile {
  path: string
  hash: string
  manifest: Manifest
}

async function isOpenElsewhere({ client, db }: Target): Promise<boolean> {
  const connections = client.db('admin').aggregate([{ $currentOp: { idleConnections: true } }])
  const names = (await connections.toArray()).map(({ appName }) => String(appName))
  const others = connectionName(db.databaseName, '')
  return names.some((name) => name.startsWith(others) && name !== connectionName(db.databaseName))
}

/** @throws StartError while another process of gamehall has the database open */
async function assertAlone(target: Target): Promise<void> {
  const endsAt = performance.now() + OTHERS_END_MS
  while (await isOpenElsewhere(target)) {
    if (performance.now() > endsAt) {
      throw new StartError('A service or a command of gamehall uses this database: stop it, then restore again')
    }
    await sleep(100)
  }
}

/** @throws StartError when the database holds more than a start fills in */
async function assertEmpty(db: Db): Promise<void> {
  for (const name of await listKept(db)) {
    if (REPLACED.includes(name) || (await db.collection(name).findOne()) === null) continue
    throw new StartError(
      `The database ${db.databaseName} is not empty (${name}): drop it, or name another in MONGODB_URI (embedded: DATA_DIR)`,
    )
  }
}

/** Drops all collections but `meta`: documents are stored faster without indexes, and unchanged without validators. */
async function clear(db: Db): Promise<void> {
  for (const { collectionName } of await db.collections()) {
    if (collectionName !== meta.name && !collectionName.startsWith('system.')) await db.dropCollection(collectionName)
  }
}

/** Marks the database as being restored. From then on only a restore of the same file is accepted. */
async function mark(target: Target, { hash }: CheckedFile): Promise<Collection<MetaDocument>> {
  const { db } = target
  const marks = db.collection<MetaDocument>(meta.name)
  const before = await marks.findOne({ _id: 'restore' })
  if (before !== null && before.hash !== hash) {
    throw new StartError('A restore of another file has not ended here: go on with that file, or drop the database')
  }
  if (before?.isCleared) {
    await assertAlone(target)
    return marks
  }
  await assertEmpty(db)
  // A service that starts later finds the mark; one that runs already is found here.
  await marks.updateOne({ _id: 'restore' }, { $set: { hash } }, { upsert: true })
  try {
    await assertAlone(target)
  } catch (error) {
    if (before === null) await marks.deleteOne({ _id: 'restore' })
    throw error
  }
  await clear(db)
  await marks.updateOne({ _id: 'restore' }, { $set: { isCleared: true } })
  return marks
}

/** Stores the documents that an earlier attempt has not stored. */
async function insertMissing(collection: Collection, documents: Document[]): Promise<void> {
  await collection.insertMany(documents, { ordered: false }).catch((error: unknown) => {
    const failed = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
    if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error
  })
}

async function storeMembers({ db, storage, show }: Target, { path, manifest }: CheckedFile): Promise<void> {
  const stored = new Map<string, number>()
  const report = (kind: string, count: number, total: number | null | undefined) => {
    stored.set(kind, (stored.get(kind) ?? 0) + count)
    show(() => `${kind}: ${stored.get(kind)} of ${total}`)
  }
  let objects: { key: ObjectKey; bytes: Buffer }[] = []
  const storeObjects = async () => {
    await mapLimited(objects, OBJECTS_AT_ONCE, async ({ key, bytes }) => {
      await storage?.put(key, { bytes, type: detectImageType(bytes) ?? 'application/octet-stream' })
    })
    report('objects', objects.length, manifest.objects)
    objects = []
  }
  for await (const { name, bytes } of readCheckedMembers(path, manifest)) {
    const [kind = '', ...others] = name.split('/')
    const key = others.join('/')
    if (kind === OBJECTS && isObjectKey(key)) {
      objects.push({ key, bytes })
      if (objects.length === OBJECTS_AT_ONCE) await storeObjects()
    } else if (kind === DOCUMENTS) {
      const collection = others[0] ?? ''
      const lines = bytes.toString().trimEnd().split('\n')
      const documents = lines.map((line) => BSON.EJSON.parse(line, { relaxed: false }))
      await insertMissing(db.collection(collection), documents)
      report(collection, lines.length, manifest.collections[collection])
    }
  }
  if (objects.length > 0) await storeObjects()
}

/** Reads everything back. @throws StartError naming a collection whose count or hashes are not those of the file */
async function compare(db: Db, { collections, members }: Manifest): Promise<void> {
  for (const [name, expected] of Object.entries(collections)) {
    let count = 0
    let isSame = true
    for await (const part of readParts(db.collection(name))) {
      count += part.count
      isSame &&= sha256(part.bytes) === members[part.name]
    }
    if (isSame && count === expected) continue
    throw new StartError(
      `${name} is not as in the file (${count} of ${expected}): drop the database, then restore again`,
    )
  }
}

/** Restores a checked file into an empty database. A killed restore goes on with the same file. @throws StartError */
export async function restoreFile(target: Target, file: CheckedFile): Promise<void> {
  const { manifest } = file
  if (manifest.schema > SCHEMA) {
    throw new StartError(
      `The file is of ${manifest.app} (schema ${manifest.schema}): restore it with that release or a newer one`,
    )
  }
  const marks = await mark(target, file)
  // After an attempt that had revoked the keys, they are stored and revoked again.
  await storeMembers(target, file)
  await compare(target.db, manifest)
  if (!target.areKeysKept) await target.db.collection(serviceKeys.name).deleteMany({})
  const { app, schema: version } = manifest
  await marks.updateOne({ _id: 'schema' }, { $set: { app, version } }, { upsert: true })
  await marks.deleteOne({ _id: 'restore' })
}
