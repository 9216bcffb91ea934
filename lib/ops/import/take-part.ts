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
import { findImported, type ImportRun, type SiteDocument } from './import-run.ts'
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
  // Any collection can be read by ids.
  const target = part.into && (run.db[part.into] as unknown as Collection<{ _id: ObjectId }>)
  const unknown = ids.filter((id) => !imported.has(id.toHexString()))
  const stored =
    target && unknown.length > 0
      ? await target.find({ _id: { $in: unknown } }, { projection: { _id: 1 } }).toArray()
      : []
  const storedHere = new Set(stored.map(({ _id }) => _id.toHexString()))
  const isNew = ({ _id }: SiteDocument) => !imported.has(_id.toHexString()) && !storedHere.has(_id.toHexString())
  const fresh = documents.filter(isNew)
  const plans = fresh.length > 0 ? await part.plan(fresh, run) : []

  row.found += batch.length
  row.there += documents.length - fresh.length
  const writes = new Map<string, readonly Write[]>([...storedHere].map((hex) => [hex, []]))
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

/** Reads a part in the order of the ids, batch by batch. */
export async function takePart(run: ImportRun, part: Part, row: Row, onBatch: () => void): Promise<void> {
  const cursor = run.site.collection<Document>(part.from).find(part.filter ?? {}, { batchSize: BATCH })
  let batch: Document[] = []
  for await (const document of cursor.sort({ _id: 1 })) {
    batch.push(document)
    if (batch.length < BATCH) continue
    await run.pace.run(NEVER, () => takeBatch(run, part, row, batch))
    onBatch()
    batch = []
  }
  if (batch.length > 0) await takeBatch(run, part, row, batch)
}
