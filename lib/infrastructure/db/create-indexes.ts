import { isDeepStrictEqual } from 'node:util'
import { type Collection, type Db, type Document, type IndexDescriptionInfo, MongoServerError } from 'mongodb'
import { StartError } from '../../base/errors.ts'
import { hasCode } from '../../base/system/has-code.ts'
import type { CollectionDefinition, IndexDefinition } from './collections/collection-definition.ts'
import { isDuplicateKey } from './duplicate-key.ts'
import { isDatabaseUnreachable } from './is-database-unreachable.ts'
import { printWhileWaiting } from './print-while-waiting.ts'

const CONFLICTING_OPTIONS = 85
const CONFLICTING_KEYS = 86
const COMPARED_OPTIONS = ['unique', 'sparse', 'partialFilterExpression'] as const

type Print = (line: string) => void

const toIndexName = ({ name, key }: IndexDefinition) => name ?? Object.entries(key).flat().join('_')

/** True when the server refuses both indexes side by side, whatever their names and their `expireAfterSeconds`. */
const isAlike = (existing: IndexDescriptionInfo, wanted: IndexDefinition) =>
  isDeepStrictEqual(Object.entries(existing.key), Object.entries(wanted.key)) &&
  // The server returns all settings of a collation, the defaults included.
  isDeepStrictEqual(wanted.collation && { ...existing.collation, ...wanted.collation }, existing.collation) &&
  COMPARED_OPTIONS.every((name) => isDeepStrictEqual(existing[name] || undefined, wanted[name] || undefined))

const isSame = (existing: IndexDescriptionInfo, wanted: IndexDefinition) =>
  existing.expireAfterSeconds === wanted.expireAfterSeconds && isAlike(existing, wanted)

/** Finds the index whose name or options exclude a wanted one. */
const findRival = (existing: IndexDescriptionInfo[], wanted: IndexDefinition) =>
  existing.find((other) => !isSame(other, wanted) && (other.name === toIndexName(wanted) || isAlike(other, wanted)))

/** Lists the indexes that a collection lacks, each with the existing one that excludes it. */
export async function findLackingIndexes(db: Db, { name, indexes }: CollectionDefinition) {
  const collection = db.collection(name)
  const existing = await collection.indexes().catch(() => [])
  return indexes
    .filter((index) => !existing.some((other) => isSame(other, index)))
    .map((index) => ({ name: `${toIndexName(index)} of ${name}`, rival: findRival(existing, index)?.name }))
}

const describeValues = (values: Record<string, unknown> = {}) =>
  Object.entries(values)
    .map(([field, value]) => `${field} ${JSON.stringify(value) ?? 'none'}`)
    .join(', ')

async function createIndex(collection: Collection<Document>, index: IndexDefinition, print: Print): Promise<void> {
  const { collectionName } = collection
  const { key, ...options } = index
  const failure = `The index ${toIndexName(index)} of ${collectionName} cannot be made`
  try {
    await collection.createIndex(key, options)
  } catch (error) {
    if (!(error instanceof MongoServerError) || isDatabaseUnreachable(error)) throw error
    if (isDuplicateKey(error))
      throw new StartError(`${failure}: several entries have ${describeValues(error.keyValue)}`)
    if (!hasCode(error, CONFLICTING_OPTIONS, CONFLICTING_KEYS))
      throw new StartError(`${failure}: ${error.message.replaceAll(/\s+/g, ' ')}`)
    const existing = await collection.indexes()
    if (existing.some((other) => isSame(other, index))) return
    const rival = findRival(existing, index)?.name ?? toIndexName(index)
    const what = `${failure}: ${rival} has its place with other options`
    const remedy = `drop that one (db.${collectionName}.dropIndex('${rival}')) and start again`
    if (index.unique) throw new StartError(`${what}; ${remedy}`)
    print(`${what}. The start goes on without it: searches are slow until you ${remedy}`)
  }
}

/**
 * Creates the indexes of a collection, whatever another program left in it, and prints which of them take long. One command
 * creates all indexes; when the database refuses it, every index has a command of its own.
 * @returns true when the command created the collection as well
 * @throws StartError in one line for an index that cannot be made, unless it is not unique and another one excludes it
 */
export async function createIndexes(db: Db, { name, indexes }: CollectionDefinition, print: Print): Promise<boolean> {
  if (indexes.length === 0) return false
  const collection = db.collection<Document>(name)
  const existing = await collection.indexes().catch(() => [])
  const missing = indexes.map(toIndexName).filter((index) => existing.every((other) => other.name !== index))
  const describe = (seconds: number) => `Building the indexes of ${name}: ${missing.join(', ')} (${seconds} s)`
  try {
    const command = { createIndexes: name, indexes: indexes.map((index) => ({ ...index, name: toIndexName(index) })) }
    const { createdCollectionAutomatically } = await printWhileWaiting(print, describe, db.command(command))
    return createdCollectionAutomatically === true
  } catch (error) {
    if (!(error instanceof MongoServerError) || isDatabaseUnreachable(error)) throw error
    for (const index of indexes) await createIndex(collection, index, print)
    return false
  }
}
