import type { ClientSession, Collection, ObjectId } from 'mongodb'
import { toSlug } from './slug.ts'

interface Slugged {
  _id: ObjectId
  name: string
  slug: string
}

/** The part of a collection that searching and taking slugs uses. */
type SluggedCollection = Pick<Collection<Slugged>, 'find' | 'insertMany'>

/** How many slugs the first query checks, for all names together. */
const FIRST_WINDOW = 64
const WIDEST_WINDOW = 1_024

/** Gives each document the first slug of its name that is free in the transaction. */
async function addSlugs<D extends Slugged>(
  collection: SluggedCollection,
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
      const slug = slugs.find((each) => !taken.has(each))
      if (slug === undefined) return document
      taken.add(slug)
      // The slug is all that the document lacked.
      slugged.push({ ...document, slug } as D)
      return []
    })
  }
  return slugged
}

/**
 * Inserts documents of one transaction, each under the first slug of its name that is free there; a rival for a slug makes
 * the transaction fail as a transient one.
 */
export async function insertWithSlugs<D extends Slugged>(
  collection: SluggedCollection,
  documents: readonly Omit<D, 'slug'>[],
  session: ClientSession,
): Promise<D[]> {
  const slugged = await addSlugs<D>(collection, documents, session)
  if (slugged.length > 0) await collection.insertMany(slugged, { session })
  return slugged
}
