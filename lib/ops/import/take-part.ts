import {
  type AnyBulkWriteOperation,
  type Collection,
  type Document,
  type Filter,
  MongoBulkWriteError,
  ObjectId,
} from 'mongodb'
import type { CollectionName } from '../../infrastructure/db/connect.ts'
import { isDuplicateKey } from '../../infrastructure/db/duplicate-key.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { findImported, getCollection, type ImportRun, importMark, type SiteDocument } from './import-run.ts'
import { toId } from './site-values.ts'

export interface Write {
  into: CollectionName
  operation: AnyBulkWriteOperation<Document>
}

/** What becomes of a document of the site. `counted` names a number that the table shows apart. */
export type Plan =
  | { writes: Write[]; counted?: string }
  | { leftOut: string; detail?: string | undefined }
  | 'there'
  | 'mapped'

/** A collection of the site, or a part of it. */
export interface Part {
  /** The row of the table. */
  name: string
  from: string
  filter?: Filter<Document>
  /** True where an older document comes before a younger one, and not only the lower id. */
  isByAge?: boolean
  /** Where its documents are stored under their own id. */
  into?: CollectionName
  plan(documents: readonly SiteDocument[], run: ImportRun): Promise<Plan[]>
}

export interface Row {
  found: number
  taken: number
  there: number
  mapped: number
  leftOut: Map<string, number>
  counted: Map<string, number>
}

const BATCH = 100
const NEVER = AbortSignal.any([])
/** The retries of a batch: a busy database may take longer than a transaction lives. */
const TRANSACTION_MS = 60_000
const addOne = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** Stores a document under its own id, unless one is there. */
export const insertion = (into: CollectionName, { _id, ...fields }: Document): Write => ({
  into,
  operation: { updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true } },
})

export const commentChange = (filter: Document, update: Document): Write => ({
  into: 'comments',
  operation: { updateOne: { filter, update: { ...update, $set: { sentBy: importMark() } } } },
})

type Writes = ReadonlyMap<string, readonly Write[]>

/**
 * Writes the documents of a batch and remembers them in one transaction, so that a killed import goes on where it ended.
 * What another import has stored meanwhile is left to it.
 * @returns the document that the database refuses, with the reason, before anything is written
 */
async function store({ db }: ImportRun, from: string, writes: Writes): Promise<{ hex: string; reason: string } | null> {
  let sent: readonly string[] = []
  try {
    await db.transaction(
      async (session) => {
        const all = [...writes.keys()].map((hex) => new ObjectId(hex))
        const imported = await findImported({ db }, from, all, session)
        const ids = all.filter((id) => !imported.has(id.toHexString()))
        if (ids.length === 0) return
        const own = ids.flatMap((id) => {
          const hex = id.toHexString()
          return (writes.get(hex) ?? []).map((write) => ({ ...write, hex }))
        })
        for (const into of new Set(own.map((write) => write.into))) {
          const chosen = own.filter((write) => write.into === into)
          sent = chosen.map(({ hex }) => hex)
          // Every operation was made for this collection.
          const collection = db[into] as unknown as Collection
          await collection.bulkWrite(
            chosen.map(({ operation }) => operation),
            { session, ignoreUndefined: true },
          )
        }
        await db.imports.insertOne({ _id: new ObjectId(), from, ids }, { session })
      },
      { timeoutMs: TRANSACTION_MS },
    )
    return null
  } catch (error) {
    const failed = error instanceof MongoBulkWriteError ? [error.writeErrors].flat()[0] : undefined
    const hex = sent[failed?.index ?? -1]
    if (hex === undefined) throw error
    return { hex, reason: isDuplicateKey(error) ? 'a unique value of it is taken here' : 'the database refuses it' }
  }
}

async function takeBatch(run: ImportRun, part: Part, row: Row, batch: readonly Document[]): Promise<void> {
  const leaveOut = (_id: unknown, reason: string, detail?: string) => {
    addOne(row.leftOut, reason)
    if (_id instanceof ObjectId) run.leaveOut(part.from, _id)
    run.report({ collection: part.from, _id, reason: detail === undefined ? reason : `${reason}: ${detail}` })
  }
  const documents = batch.flatMap((document) => {
    const _id = toId(document._id)
    if (_id === null) leaveOut(document._id, 'its id is no ObjectId')
    return _id === null ? [] : { ...document, _id }
  })
  const ids = documents.map(({ _id }) => _id)
  const imported = await findImported(run, part.from, ids)
  const unknown = ids.filter((id) => !imported.has(id.toHexString()))
  const stored = part.into ? await mapByIds(getCollection(run.db, part.into), unknown, { _id: 1 }) : new Map()
  const isNew = (hex: string) => !imported.has(hex) && !stored.has(hex)
  const fresh = documents.filter(({ _id }) => isNew(_id.toHexString()))
  const plans = fresh.length > 0 ? await part.plan(fresh, run) : []

  row.found += batch.length
  row.there += documents.length - fresh.length
  const writes = new Map<string, readonly Write[]>([...stored.keys()].map((hex) => [hex, []]))
  const counted = new Map<string, string | undefined>()
  for (const [index, { _id }] of fresh.entries()) {
    const plan = plans[index]
    if (plan === undefined) throw new Error('a part plans every document')
    if (plan === 'there') {
      row.there += 1
      writes.set(_id.toHexString(), [])
    } else if (plan === 'mapped') row.mapped += 1
    else if ('leftOut' in plan) leaveOut(_id, plan.leftOut, plan.detail)
    else {
      writes.set(_id.toHexString(), plan.writes)
      counted.set(_id.toHexString(), plan.counted)
    }
  }
  while (run.isWriting && writes.size > 0) {
    const refused = await store(run, part.from, writes)
    if (refused === null) break
    writes.delete(refused.hex)
    counted.delete(refused.hex)
    leaveOut(new ObjectId(refused.hex), refused.reason)
  }
  row.taken += counted.size
  for (const name of counted.values()) if (name !== undefined) addOne(row.counted, name)
}

const asDate = (input: unknown) => ({ $convert: { input, to: 'date', onError: null, onNull: null } })
const ID = { $convert: { input: '$_id', to: 'objectId', onError: null } }
const BY_AGE = [
  { $set: { age: { $ifNull: [asDate('$createdAt'), asDate(ID)] } } },
  { $sort: { age: 1, _id: 1 } },
  { $unset: 'age' },
]

/** Reads a part in the order of the ids or of the age, batch by batch. */
export async function takePart(run: ImportRun, part: Part, row: Row, onBatch: () => void): Promise<void> {
  const stages = [{ $match: part.filter ?? {} }, ...(part.isByAge ? BY_AGE : [{ $sort: { _id: 1 } }])]
  const options = { batchSize: BATCH, allowDiskUse: true }
  let batch: Document[] = []
  for await (const document of run.site.collection<Document>(part.from).aggregate(stages, options)) {
    batch.push(document)
    if (batch.length < BATCH) continue
    await run.pace.run(NEVER, () => takeBatch(run, part, row, batch))
    onBatch()
    batch = []
  }
  if (batch.length > 0) await takeBatch(run, part, row, batch)
}
