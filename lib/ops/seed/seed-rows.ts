import { type Collection, type Document, ObjectId } from 'mongodb'
import { hashedId } from '../../base/system/hashed-id.ts'
import type { CollectionName, Database } from '../../infrastructure/db/connect.ts'
import { isDuplicateKey } from '../../infrastructure/db/duplicate-key.ts'

/** A document with markers: `@game/doom` is an id, `#game/doom` the same id in hex within a text, `@ago/5` the time 5 minutes ago. */
export type SeedRow = { _id: string } & Record<string, unknown>

export interface SeedTable {
  collection: CollectionName
  rows: readonly SeedRow[]
  complete?(document: Document, at: Date): Document | Promise<Document>
}

const ID = /^@([a-z-]+\/[a-z0-9-]+)$/
const HEX = /#([a-z-]+\/[a-z0-9-]+)/g
const AGO = /^@ago\/(\d+)$/

/** The name of a row, as `game/doom`. */
export const toRowName = ({ _id }: SeedRow) => _id.slice(1)

/** The id of a row, the same in every database. */
export const seedId = (name: string) => new ObjectId(hashedId(`gamehall ${name}`))

function resolveText(text: string, names: ReadonlySet<string>, at: Date): unknown {
  const minutes = AGO.exec(text)?.[1]
  if (minutes !== undefined) return new Date(at.getTime() - Number(minutes) * 60_000)
  const name = ID.exec(text)?.[1]
  if (name !== undefined) return names.has(name) ? seedId(name) : undefined
  const isStored = Array.from(text.matchAll(HEX), ([, named = '']) => names.has(named))
  return isStored.every(Boolean) ? text.replace(HEX, (_, named: string) => seedId(named).toHexString()) : undefined
}

/** Replaces the markers. Undefined when a marker names a row that is not stored; a list leaves out such items. */
function resolve(value: unknown, names: ReadonlySet<string>, at: Date): unknown {
  if (typeof value === 'string') return resolveText(value, names, at)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => resolve(item, names, at)).filter((item) => item !== undefined)
  const fields = Object.entries(value).map(([field, inner]) => [field, resolve(inner, names, at)])
  return fields.some(([, inner]) => inner === undefined) ? undefined : Object.fromEntries(fields)
}

// A row with resolved markers has the type of its collection, which a test asserts.
const open = (db: Database, { collection }: SeedTable) => db[collection] as unknown as Collection

export async function listStored(db: Database, table: SeedTable): Promise<string[]> {
  const ids = table.rows.map((row) => seedId(toRowName(row)))
  const stored = await open(db, table).distinct('_id', { _id: { $in: ids } })
  return table.rows.map(toRowName).filter((name) => stored.some((id) => seedId(name).equals(id)))
}

/** Stores the rows that refer only to one another and to rows of `names`. Existing documents stay as they are. */
export async function insertRows(db: Database, table: SeedTable, names: Iterable<string> = []): Promise<void> {
  const at = new Date()
  const allNames = new Set([...names, ...table.rows.map(toRowName)])
  // A row resolves to a document or to nothing.
  const documents = table.rows.flatMap((row) => (resolve(row, allNames, at) ?? []) as Document)
  if (documents.length === 0) return
  const whole = await Promise.all(documents.map((document) => table.complete?.(document, at) ?? document))
  await open(db, table)
    .insertMany(whole, { ordered: false })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
}
