import type { Db } from 'mongodb'
import { type Checks, fail, listSome, ok, warn } from '../../domain/operations/run-checks.ts'
import { findObjectKeys, type ObjectKey, type Storage } from '../../infrastructure/storage/storage.ts'
import { readParts } from '../backup/archive.ts'
import { listKept } from '../backup/write-backup.ts'

async function listObjects(storage: Storage): Promise<Set<ObjectKey>> {
  const keys = new Set<ObjectKey>()
  for await (const key of storage.list()) keys.add(key)
  return keys
}

async function listNamed(db: Db): Promise<Set<ObjectKey>> {
  const keys = new Set<ObjectKey>()
  for (const name of await listKept(db)) {
    for await (const { bytes } of readParts(db.collection(name))) {
      for (const key of findObjectKeys(bytes.toString('latin1'))) keys.add(key)
    }
  }
  return keys
}

/** Compares the objects of the storage with the keys in documents, beside a service that stores and deletes images. */
export async function createObjectChecks(db: Db, storage: Storage): Promise<Checks> {
  // What is stored or deleted meanwhile is in one of the two lists alone.
  const before = await listObjects(storage)
  const named = await listNamed(db)
  const after = await listObjects(storage)
  const missing = [...named].filter((key) => !before.has(key) && !after.has(key))
  const unnamed = [...after].filter((key) => before.has(key) && !named.has(key))
  return {
    'images without an object': () =>
      missing.length === 0 ? ok(`none of ${named.size}`) : fail(`${listSome(missing)}: restore them from a backup`),
    'objects without a document': () =>
      unnamed.length === 0 ? ok('none') : warn(`${listSome(unnamed)}: they only take room, and may be deleted`),
  }
}
