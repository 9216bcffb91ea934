import type { ClientSession, Collection, ObjectId } from 'mongodb'
import { isObjectId } from '../../contract/object-id.ts'
import { fold } from './normalise-name.ts'

const MAX_SLUG_LENGTH = 120
/** Paths below `/games` and `/characters` that are not entries. */
const RESERVED = new Set(['search', 'by-ids'])

/**
 * A slug from a name in any script: a-z, 0-9 and single dashes. A name that gives none, one that is a path, or one that
 * reads like an id gets a suffix, and so does each further `attempt` when the ones before are taken.
 */
export function toSlug(name: string, attempt = 1): string {
  const base = fold(name).slice(0, MAX_SLUG_LENGTH).trimEnd().replaceAll(' ', '-') || 'untitled'
  const isTaken = RESERVED.has(base) || isObjectId(base)
  const number = isTaken ? attempt + 1 : attempt
  return number === 1 ? base : `${base}-${number}`
}

interface Slugged {
  _id: ObjectId
  name: string
  slug: string
}

/** How many slugs the first query checks, for all names together. */
const FIRST_WINDOW = 64
const WIDEST_WINDOW = 1_024

/**
 * Inserts documents of one transaction, each under the first slug of its name that is free there; a rival for a slug makes
 * the transaction fail as a transient one.
 */
export async function insertWithSlugs<D extends Slugged>(
  collection: Pick<Collection<Slugged>, 'find' | 'insertMany'>,
  documents: readonly Omit<D, 'slug'>[],
  session: ClientSession,
): Promise<D[]> {
  const taken = new Set<string>()
  const slugged: D[] = []
  let open = documents
  let size = Math.ceil(FIRST_WINDOW / Math.max(1, documents.length))
  for (let first = 1; open.length > 0; first += size, size = Math.min(size * 2, WIDEST_WINDOW)) {
    const windows = open.map((document) => ({
      document,
      slugs: Array.from({ length: size }, (_, index) => toSlug(document.name, first + index)),
    }))
    const slugs = windows.flatMap((window) => window.slugs)
    const rows = await collection
      .find({ slug: { $in: slugs } }, { projection: { _id: 0, slug: 1 }, batchSize: slugs.length + 1, session })
      .toArray()
    for (const { slug } of rows) taken.add(slug)
    open = windows.flatMap(({ document, slugs }) => {
      const slug = slugs.find((candidate) => !taken.has(candidate))
      if (slug === undefined) return document
      taken.add(slug)
      // The slug is all that the document lacked.
      slugged.push({ ...document, slug } as D)
      return []
    })
  }
  if (slugged.length > 0) await collection.insertMany(slugged, { session })
  return slugged
}
