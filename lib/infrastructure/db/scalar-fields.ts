import { isDeepStrictEqual } from 'node:util'
import type { Collection, CollectionInfo, Db, Document, IndexDescriptionInfo } from 'mongodb'
import { hasCode } from '../../base/system/has-code.ts'
import type { CollectionDefinition } from './collections/collection-definition.ts'
import type { LeaseDocument } from './collections/leases.ts'
import { withLease } from './lease.ts'
import { printWhileWaiting } from './print-while-waiting.ts'

const BAD_VALUE = 2
const UNAUTHORIZED = 13
const LEASE_MS = 15_000
/** Marks a validator as one of this service. A validator of another program stays. */
const TITLE = 'gamehall: indexed fields that hold one value'

type Print = (line: string) => void

const listScalars = ({ key }: Pick<IndexDescriptionInfo, 'key'>, { lists = [] }: CollectionDefinition): string[] =>
  Object.keys(key).filter((field) => field !== '_id' && !lists.includes(field))

function buildValidator(definition: CollectionDefinition): Document {
  const properties: Record<string, Document> = {}
  for (const path of definition.indexes.flatMap((index) => listScalars(index, definition))) {
    let level = properties
    for (const name of path.split('.')) {
      level[name] ??= { not: { bsonType: 'array' }, properties: {} }
      level = level[name].properties
    }
  }
  return { $jsonSchema: { title: TITLE, properties } }
}

/** Refuses lists in the indexed scalar fields of a collection. @returns false where the database's user may not set that */
async function setValidator(db: Db, definition: CollectionDefinition, { options }: CollectionInfo): Promise<boolean> {
  const { name } = definition
  const validator = buildValidator(definition)
  const existing: Document | undefined = options?.validator
  const isForeign = existing !== undefined && existing.$jsonSchema?.title !== TITLE
  if (isForeign || isDeepStrictEqual(existing, validator)) return true
  try {
    await db.command({ collMod: name, validator, validationLevel: 'moderate', validationAction: 'error' })
    return true
  } catch (error) {
    if (hasCode(error, UNAUTHORIZED)) return false
    throw error
  }
}

/** Finds the fields of an index in which a list was stored. */
function listMultikey(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return []
  const paths = 'multiKeyPaths' in plan ? Object.entries<unknown>(Object(plan.multiKeyPaths)) : []
  const direct = paths.flatMap(([field, lists]) => (Array.isArray(lists) && lists.length > 0 ? [field] : []))
  return [...direct, ...Object.values(plan).flatMap(listMultikey)]
}

interface MultikeyIndex {
  collection: Collection
  index: IndexDescriptionInfo
  fields: string[]
}

/** Finds the indexes that once held a list in a scalar field. Such an index gives no order, even after the list is gone. */
async function findMultikeyIndexes(db: Db, definition: CollectionDefinition): Promise<MultikeyIndex[]> {
  const collection = db.collection(definition.name)
  const isDefined = ({ key }: IndexDescriptionInfo) =>
    definition.indexes.some((index) => isDeepStrictEqual(Object.entries(index.key), Object.entries(key)))
  const indexes = (await collection.indexes()).filter(isDefined)
  const found = indexes.map(async (index) => {
    // A partial index serves only queries that imply its filter.
    const scan = collection.find(index.partialFilterExpression ?? {}).hint(index.name ?? index.key)
    const plan = await scan.explain('queryPlanner').catch((error: unknown) => {
      // Another instance has dropped the index since it was listed, and builds it again.
      if (hasCode(error, BAD_VALUE)) return null
      throw error
    })
    const lists = listMultikey(plan)
    return { collection, index, fields: listScalars(index, definition).filter((field) => lists.includes(field)) }
  })
  return (await Promise.all(found)).filter(({ fields }) => fields.length > 0)
}

/** Rebuilds an index, unless a document still holds a list, which would make the new index multikey, too. */
async function rebuild({ collection, index, fields }: MultikeyIndex, print: Print): Promise<void> {
  const { collectionName } = collection
  const held = await collection.findOne({ $or: fields.map((field) => ({ [field]: { $type: 'array' } })) })
  if (held !== null) {
    print(`The document ${held._id} of ${collectionName} holds a list in ${fields.join(' or ')}: its lists stay slow`)
    return
  }
  const { key, v: _, ...options } = index
  const describe = (seconds: number) => `Building ${index.name} of ${collectionName} again (${seconds} s)`
  await collection.dropIndex(index.name ?? '')
  await printWhileWaiting(print, describe, collection.createIndex(key, options))
}

/** Makes the database refuse lists in the indexed scalar fields. */
export async function refuseLists(db: Db, definitions: readonly CollectionDefinition[], print: Print): Promise<void> {
  const existing = await db.listCollections({}, { nameOnly: false }).toArray()
  const set = definitions.map((definition) => {
    const found = existing.find(({ name }) => name === definition.name)
    return found === undefined || definition.indexes.length === 0 || setValidator(db, definition, found)
  })
  if ((await Promise.all(set)).includes(false))
    print('The database accepts lists in indexed fields: its user may not set validators (collMod)')
}

/** Repairs the indexes into which another program has put lists. */
export async function rebuildMultikeyIndexes(
  db: Db,
  definitions: readonly CollectionDefinition[],
  print: Print,
): Promise<void> {
  const indexed = definitions.filter(({ indexes }) => indexes.length > 0)
  const findAll = async () => (await Promise.all(indexed.map((each) => findMultikeyIndexes(db, each)))).flat()
  if ((await findAll()).length === 0) return
  // One instance at a time: to drop an index ends its build by another instance.
  await withLease(db.collection<LeaseDocument>('leases'), { id: 'indexes', lastsMs: LEASE_MS }, async () => {
    for (const multikey of await findAll()) await rebuild(multikey, print)
  })
}
