import { type Collection, type Document, ObjectId } from 'mongodb'
import { hashedId } from '../../base/system/hashed-id.ts'
import type { CollectionName, Database } from '../../infrastructure/db/connect.ts'
import { isDuplicateKey } from '../../infrastructure/db/duplicate-key.ts'

/**
 * A stored document with markers: `@game/doom` is the id of a row, `#game/doom` the same in hex within a text, and `@ago/5`
 * a time in minutes before the filling.
 */
export type SeedRow = { _id: string } & Record<string, unknown>

/** The ids of stored rows by name, as `game/doom`. A row that existed before keeps its own id. */
export type SeedIds = Map<string, ObjectId>

export interface SeedTable {
  collection: CollectionName
  rows: readonly SeedRow[]
  identities?: readonly string[]
  complete?(documents: Document[], at: Date): Document[] | Promise<Document[]>
}

const ID = /^@([a-z-]+\/[a-z0-9-]+)$/
const HEX = /#([a-z-]+\/[a-z0-9-]+)/g
const AGO = /^@ago\/(\d+)$/

const toName = ({ _id }: SeedRow) => _id.slice(1)

export const seedId = (name: string) => new ObjectId(hashedId(`gamehall ${name}`))

function resolveText(text: string, ids: SeedIds, at: Date): unknown {
  const minutes = AGO.exec(text)?.[1]
  if (minutes !== undefined) return new Date(at.getTime() - Number(minutes) * 60_000)
  const name = ID.exec(text)?.[1]
  if (name !== undefined) return ids.get(name)
  const names = [...text.matchAll(HEX)].map(([, named = '']) => named)
  if (!names.every((named) => ids.has(named))) return undefined
  return text.replace(HEX, (_, named: string) => ids.get(named)?.toHexString() ?? '')
}

/** Replaces the markers. Undefined when a marker names a row that is not stored; lists omit such items. */
function resolve(value: unknown, ids: SeedIds, at: Date): unknown {
  if (typeof value === 'string') return resolveText(value, ids, at)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => resolve(item, ids, at)).filter((item) => item !== undefined)
  const fields = Object.entries(value).map(([field, inner]) => [field, resolve(inner, ids, at)])
  return fields.some(([, inner]) => inner === undefined) ? undefined : Object.fromEntries(fields)
}

// A row with resolved markers has the type of its collection, which a test asserts.
const open = (db: Database, { collection }: SeedTable) => db[collection] as unknown as Collection

const readPath = (row: unknown, path: string) =>
  // A row is JSON.
  path.split('.').reduce((value, field) => (value as Document | undefined)?.[field], row)

/** Finds the ids of stored rows, ours and those that existed before. */
export async function findRows(db: Database, table: SeedTable): Promise<SeedIds> {
  const { rows, identities = [] } = table
  const listValues = (path: string) => rows.map((row) => readPath(row, path)).filter((value) => value !== undefined)
  const same = [
    { _id: { $in: rows.map((row) => seedId(toName(row))) } },
    ...identities.map((path) => ({ [path]: { $in: listValues(path) } })),
  ]
  const projection = Object.fromEntries(['_id', ...identities].map((path) => [path, 1]))
  const stored = await open(db, table).find({ $or: same }, { projection }).toArray()

  const ids: SeedIds = new Map()
  for (const row of rows) {
    const id = seedId(toName(row))
    const isSame = (path: string, document: Document) => {
      const value = readPath(row, path)
      return value !== undefined && value === readPath(document, path)
    }
    const found = stored.find(
      (document) => id.equals(document._id) || identities.some((path) => isSame(path, document)),
    )
    if (found !== undefined) ids.set(toName(row), found._id)
  }
  return ids
}

/** Stores missing rows when the rows that they name are stored. Existing documents stay unchanged. */
export async function insertRows(db: Database, table: SeedTable, { ids, at }: { ids: SeedIds; at: Date }) {
  const stored = await findRows(db, table)
  const missing = table.rows.filter((row) => !stored.has(toName(row)))
  // Rows of one table may name each other.
  const planned = missing.map((row): [string, ObjectId] => [toName(row), seedId(toName(row))])
  const allIds = new Map([...ids, ...stored, ...planned])
  // A row resolves to a document or to nothing.
  const documents = missing.flatMap((row) => (resolve(row, allIds, at) ?? []) as Document)
  if (documents.length === 0) return
  await open(db, table)
    .insertMany((await table.complete?.(documents, at)) ?? documents, { ordered: false })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
}
