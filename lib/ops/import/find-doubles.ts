import type { CollationOptions, Db, Document } from 'mongodb'
import type { CollectionName } from '../../infrastructure/db/connect.ts'
import { getCollection, type ImportRun, type SiteDocument } from './import-run.ts'
import { toId, toTimes } from './site-values.ts'

/** Fields of which no two documents may have the same value. */
export interface UniqueFields {
  fields: readonly string[]
  collation?: CollationOptions
}

const NONE: UniqueFields = { fields: [] }
const asText = (field: string) => ({ $convert: { input: `$${field}`, to: 'string', onError: null, onNull: null } })

/** Finds the documents of the site that share a unique value with an older one. Returns why each stays behind, by its id. */
export async function findDoubles(
  site: Db,
  from: string,
  { fields, collation }: UniqueFields = NONE,
): Promise<ReadonlyMap<string, string>> {
  const doubles = new Map<string, string>()
  for (const field of fields) {
    const groups = site.collection(from).aggregate<{ rows: { _id: unknown; createdAt?: unknown }[] }>(
      [
        // Most documents have no value of some fields: one group of these would be larger than memory.
        { $match: { [field]: { $nin: [null, ''] } } },
        {
          $group: {
            _id: asText(field),
            rows: { $push: { _id: '$_id', createdAt: '$createdAt' } },
            count: { $sum: 1 },
          },
        },
        { $match: { _id: { $nin: [null, ''] }, count: { $gt: 1 } } },
      ],
      { allowDiskUse: true, ...(collation && { collation }) },
    )
    for await (const { rows } of groups) {
      const dated = rows.flatMap((row) => {
        const _id = toId(row._id)
        return _id ? { hex: _id.toHexString(), at: toTimes({ ...row, _id }).createdAt.getTime() } : []
      })
      dated.sort((a, b) => a.at - b.at || (a.hex < b.hex ? -1 : 1))
      for (const { hex } of dated.slice(1)) doubles.set(hex, `an older one has the same ${field}`)
    }
  }
  return doubles
}

const readPath = (document: Document, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => Object(value)[name], document)

/** Finds the new documents whose unique value a document here has. Returns why each stays behind, by its id. */
export async function findTaken(
  { db }: Pick<ImportRun, 'db'>,
  into: CollectionName | null,
  documents: readonly SiteDocument[],
  { fields, collation }: UniqueFields = NONE,
): Promise<ReadonlyMap<string, string>> {
  const taken = new Map<string, string>()
  const { compare } = new Intl.Collator('en', { sensitivity: collation ? 'accent' : 'variant' })
  for (const field of fields) {
    const values = documents.map((document) => readPath(document, field)).filter((value) => value != null)
    if (into === null || values.length === 0) continue
    const found = await getCollection(db, into)
      .find({ [field]: { $in: values } }, { projection: { [field]: 1 }, ...(collation && { collation }) })
      .toArray()
    for (const document of documents) {
      const value = readPath(document, field)
      const isSame = (other: Document) => value != null && compare(String(readPath(other, field)), String(value)) === 0
      if (found.some(isSame)) taken.set(document._id.toHexString(), `its ${field} is taken here`)
    }
  }
  return taken
}
