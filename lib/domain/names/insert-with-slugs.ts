import type { ClientSession, Collection, ObjectId } from 'mongodb'
import { isObjectId } from '../../contract/object-id.ts'
import { fold } from './normalise-name.ts'

const MAX_SLUG_LENGTH = 120
/** Paths below `/games` and `/characters` that are not entries. */
const RESERVED = new Set(['search', 'by-ids'])

/** Converts a name in any script to a slug without a number: a-z, 0-9 and single dashes. */
const toBase = (name: string) => fold(name).slice(0, MAX_SLUG_LENGTH).trimEnd().replaceAll(' ', '-') || 'untitled'

/** Makes the first free slug of a name: a taken one, a path and what reads like an id get a number. */
export function toSlug(name: string, taken: ReadonlySet<string> = new Set()): string {
  const base = toBase(name)
  if (!RESERVED.has(base) && !isObjectId(base) && !taken.has(base)) return base
  let number = 2
  while (taken.has(`${base}-${number}`)) number++
  return `${base}-${number}`
}

interface Slugged {
  _id: ObjectId
  name: string
  slug: string
}

/**
 * Inserts documents of one transaction, each under the first slug of its name that is free there; a rival for a slug makes
 * the transaction fail as a transient one.
 */
export async function insertWithSlugs<D extends Slugged>(
  collection: Pick<Collection<Slugged>, 'find' | 'insertMany'>,
  documents: readonly Omit<D, 'slug'>[],
  session: ClientSession,
): Promise<D[]> {
  if (documents.length === 0) return []
  const bases = new Set(documents.map(({ name }) => toBase(name)))
  // The sign after `9` is `:`, so the second condition is the range of the index with all numbers of a slug.
  const conditions = [...bases].flatMap((base) => [{ slug: base }, { slug: { $gte: `${base}-0`, $lt: `${base}-:` } }])
  const rows = await collection.find({ $or: conditions }, { projection: { _id: 0, slug: 1 }, session }).toArray()
  const taken = new Set(rows.map(({ slug }) => slug))
  const slugged = documents.map((document) => {
    const slug = toSlug(document.name, taken)
    taken.add(slug)
    // The slug is all that the document lacked.
    return { ...document, slug } as D
  })
  await collection.insertMany(slugged, { session })
  return slugged
}
