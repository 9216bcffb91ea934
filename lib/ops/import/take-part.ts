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
import { findDoubles, findTaken, type UniqueFields } from './find-doubles.ts'
import {
  findImported,
  getCollection,
  type ImportRun,
  importMark,
  type PartName,
  SITE_COLLECTIONS,
  type SiteDocument,
} from './import-run.ts'
import { toId } from './site-values.ts'

interface Write {
  into: CollectionName
  operation: AnyBulkWriteOperation<Document>
}

/**
 * A plan says what the import does with a document of the site: writes it, leaves it out for a reason, or finds it here already.
 * `counted` names a number that the table shows beside the others, `note` is a line of the report.
 */
export type Plan =
  | { document?: SiteDocument; changes?: readonly Write[]; counted?: string; note?: string }
  | { leftOut: string; detail?: string | undefined }
  | 'there'
  | 'mapped'

/** Documents of one collection of the site. */
export interface Part {
  of: PartName
  /** The row of the table; by default `of`. */
  name?: string
  /** The collection of the site, where it is not that of `of`. */
  from?: string
  filter?: Filter<Document>
  /** True to read older documents first; by default the order is that of the ids. */
  isByAge?: boolean
  /** The collection that stores the documents, by default `of`; null where they only change other documents. */
  into?: CollectionName | null
  unique?: UniqueFields
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

/** Inserts a document, unless its id is stored already. */
export const insertion = (into: CollectionName, { _id, ...fields }: Document): Write => ({
  into,
  operation: { updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true } },
})

export const commentChange = (filter: Document, update: Document): Write => ({
  into: 'comments',
  operation: { updateOne: { filter, update: { ...update, $set: { sentBy: importMark() } } } },
})

/** A document that no later run looks at again: one of this batch, or one that was stored here before. */
interface KeptDocument {
  _id: ObjectId
  writes: readonly Write[]
  isTaken: boolean
  counted?: string | undefined
}

/**
 * Writes the kept documents and remembers their ids in one transaction, so that a killed import goes on where it ended.
 * Documents that another import has stored meanwhile are left out.
 * @returns the document that the database refuses, with the reason, before anything is written
 */
async function store({ db }: ImportRun, from: string, kept: readonly KeptDocument[]) {
  let sent: { source: KeptDocument; write: Write }[] = []
  try {
    await db.transaction(
      async (session) => {
        const ids = kept.map(({ _id }) => _id)
        const imported = await findImported({ db }, from, ids, session)
        const left = kept.filter(({ _id }) => !imported.has(_id.toHexString()))
        if (left.length === 0) return
        const all = left.flatMap((source) => source.writes.map((write) => ({ source, write })))
        for (const into of new Set(all.map(({ write }) => write.into))) {
          sent = all.filter(({ write }) => write.into === into)
          // Every operation was made for this collection.
          const collection = db[into] as unknown as Collection
          const operations = sent.map(({ write }) => write.operation)
          await collection.bulkWrite(operations, { session, ignoreUndefined: true })
        }
        await db.imports.insertOne({ _id: new ObjectId(), from, ids: left.map(({ _id }) => _id) }, { session })
      },
      { timeoutMs: TRANSACTION_MS },
    )
    return null
  } catch (error) {
    const failed = error instanceof MongoBulkWriteError ? [error.writeErrors].flat()[0] : undefined
    const refused = sent[failed?.index ?? -1]
    if (refused === undefined) throw error
    const reason = isDuplicateKey(error) ? 'a unique value of it is taken here' : 'the database refuses it'
    return { document: refused.source, reason }
  }
}

interface Taking {
  run: ImportRun
  part: Part
  row: Row
  from: string
  into: CollectionName | null
  /** Why a document stays behind that shares a unique value with an older one of the site, by its id. */
  doubles: ReadonlyMap<string, string>
}

const toStored = (plan: Plan) =>
  typeof plan === 'object' && 'document' in plan && plan.document ? [plan.document] : []

function leaveOut({ run, row, from }: Taking, _id: unknown, reason: string, detail?: string): void {
  addOne(row.leftOut, reason)
  if (_id instanceof ObjectId) run.leaveOut(from, _id)
  run.report({ collection: from, _id, reason: detail === undefined ? reason : `${reason}: ${detail}` })
}

/** Converts the ids of a batch, and counts the documents that are here already. Returns the others, and the ids stored here. */
async function findFresh(taking: Taking, batch: readonly Document[]) {
  const { run, row, from, into } = taking
  const documents = batch.flatMap((document): SiteDocument[] => {
    const _id = toId(document._id)
    if (_id === null) leaveOut(taking, document._id, 'its id is no ObjectId')
    return _id === null ? [] : [{ ...document, _id }]
  })
  const ids = documents.map(({ _id }) => _id)
  const imported = await findImported(run, from, ids)
  const unknown = documents.filter(({ _id }) => !imported.has(_id.toHexString()))
  const unknownIds = unknown.map(({ _id }) => _id)
  const stored = into ? await mapByIds(getCollection(run.db, into), unknownIds, { _id: 1 }) : new Map()
  const fresh = unknown.filter(({ _id }) => !stored.has(_id.toHexString()))
  row.found += batch.length
  row.there += documents.length - fresh.length
  return { fresh, storedIds: unknownIds.filter((id) => stored.has(id.toHexString())) }
}

/** Plans the documents, and returns those to keep. The others are counted, and reported when they stay behind. */
async function planFresh(taking: Taking, fresh: readonly SiteDocument[]): Promise<KeptDocument[]> {
  const { run, part, row, from, into, doubles } = taking
  const plans = fresh.length > 0 ? await part.plan(fresh, run) : []
  const taken = await findTaken(run, into, plans.flatMap(toStored), part.unique)
  const kept: KeptDocument[] = []
  for (const [index, { _id, userName }] of fresh.entries()) {
    const plan = plans[index]
    const hex = _id.toHexString()
    const double = doubles.get(hex) ?? taken.get(hex)
    if (plan === undefined) throw new Error('a part plans every document')
    if (plan === 'there') {
      row.there += 1
      kept.push({ _id, writes: [], isTaken: false })
    } else if (plan === 'mapped') row.mapped += 1
    else if ('leftOut' in plan) leaveOut(taking, _id, plan.leftOut, plan.detail)
    else if (double !== undefined) leaveOut(taking, _id, double, userName)
    else {
      const marked = toStored(plan).map((document) => ({ ...document, sentBy: importMark() }))
      const insertions = into ? marked.map((document) => insertion(into, document)) : []
      const writes = [...insertions, ...(plan.changes ?? [])]
      kept.push({ _id, writes, isTaken: true, counted: plan.counted })
      if (plan.note !== undefined) run.report({ collection: from, _id, reason: plan.note })
    }
  }
  return kept
}

async function takeBatch(taking: Taking, batch: readonly Document[]): Promise<void> {
  const { run, row, from } = taking
  const { fresh, storedIds } = await findFresh(taking, batch)
  const storedBefore = storedIds.map((_id) => ({ _id, writes: [], isTaken: false }))
  let kept = [...storedBefore, ...(await planFresh(taking, fresh))]
  while (run.isWriting && kept.length > 0) {
    const refused = await store(run, from, kept)
    if (refused === null) break
    kept = kept.filter((document) => document !== refused.document)
    leaveOut(taking, refused.document._id, refused.reason)
  }
  const added: KeptDocument[] = kept.filter(({ isTaken }) => isTaken)
  row.taken += added.length
  for (const { counted } of added) if (counted !== undefined) addOne(row.counted, counted)
}

const asDate = (input: unknown) => ({ $convert: { input, to: 'date', onError: null, onNull: null } })
const ID = { $convert: { input: '$_id', to: 'objectId', onError: null } }
const BY_AGE = [
  { $set: { age: { $ifNull: [asDate('$createdAt'), asDate(ID)] } } },
  { $sort: { age: 1, _id: 1 } },
  { $unset: 'age' },
]

/** Takes a part over in the order of the ids or of the age, batch by batch. */
export async function takePart(run: ImportRun, part: Part, row: Row, onBatch: () => void): Promise<void> {
  const { from = SITE_COLLECTIONS[part.of], into = part.of, unique } = part
  const taking = { run, part, row, from, into, doubles: await findDoubles(run.site, from, unique) }
  const stages = [{ $match: part.filter ?? {} }, ...(part.isByAge ? BY_AGE : [{ $sort: { _id: 1 } }])]
  const options = { batchSize: BATCH, allowDiskUse: true }
  let batch: Document[] = []
  for await (const document of run.site.collection<Document>(from).aggregate(stages, options)) {
    batch.push(document)
    if (batch.length < BATCH) continue
    await run.pace.run(NEVER, () => takeBatch(taking, batch))
    onBatch()
    batch = []
  }
  if (batch.length > 0) await takeBatch(taking, batch)
}
