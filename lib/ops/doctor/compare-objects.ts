import type { Db } from 'mongodb'
import { type Checks, fail, listSome, ok, warn } from '../../domain/operations/run-checks.ts'
import { findObjectKeys, type ObjectKey, type Storage } from '../../infrastructure/storage/storage.ts'
import { readParts } from '../backup/archive.ts'
import { listKept } from '../backup/write-backup.ts'

async function* listNamed(db: Db): AsyncGenerator<ObjectKey> {
  for (const name of await listKept(db)) {
    for await (const { bytes } of readParts(db.collection(name))) yield* findObjectKeys(bytes.toString('latin1'))
  }
}

async function collect(keys: AsyncIterable<ObjectKey>): Promise<Set<ObjectKey>> {
  const all = new Set<ObjectKey>()
  for await (const key of keys) all.add(key)
  return all
}

/** Compares the objects of the storage with the keys in documents, beside a service that stores and deletes images. */
export async function createObjectChecks(db: Db, storage: Storage): Promise<Checks> {
  // An object that is stored or deleted meanwhile is in only one of the two lists of objects.
  const before = await collect(storage.list())
  const named = await collect(listNamed(db))
  const after = await collect(storage.list())
  const missing = [...named].filter((key) => !before.has(key) && !after.has(key))
  const unnamed = [...after].filter((key) => before.has(key) && !named.has(key))
  return {
    'images without an object': () =>
      missing.length === 0 ? ok(`none of ${named.size}`) : fail(`${listSome(missing)}: restore them from a backup`),
    'objects without a document': () =>
      unnamed.length === 0 ? ok('none') : warn(`${listSome(unnamed)}: they only take room, and may be deleted`),
  }
}
