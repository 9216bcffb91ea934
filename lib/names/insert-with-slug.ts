import type { ClientSession, Collection, ObjectId } from 'mongodb'
import { duplicateKeyField } from '../db/duplicate-key.ts'
import { toSlug } from './slug.ts'

interface Slugged {
  _id: ObjectId
  name: string
  slug: string
}

/** A collection as far as slugs are sought and taken in it. */
type SluggedCollection = Pick<Collection<Slugged>, 'find' | 'insertOne'>

interface InsertWithSlugInput<D> {
  name: string
  /** The document under a slug. */
  withSlug: (slug: string) => D
  session?: ClientSession | undefined
}

const FIRST_WINDOW = 64
const WIDEST_WINDOW = 1_024
const MAX_TRIES = 30

/** Slugs of a name that nobody has: those of the first numbers among which there is one. */
async function findFreeSlugs(
  collection: SluggedCollection,
  { name, session }: Pick<InsertWithSlugInput<unknown>, 'name' | 'session'>,
): Promise<string[]> {
  for (let first = 1, size = FIRST_WINDOW; ; first += size, size = Math.min(size * 2, WIDEST_WINDOW)) {
    const slugs = Array.from({ length: size }, (_, index) => toSlug(name, first + index))
    const rows = await collection
      .find(
        { slug: { $in: slugs } },
        { projection: { _id: 0, slug: 1 }, batchSize: size + 1, ...(session && { session }) },
      )
      .toArray()
    const taken = new Set(rows.map(({ slug }) => slug))
    const free = slugs.filter((slug) => !taken.has(slug))
    if (free.length > 0) return free
  }
}

/**
 * Inserts a document under the first slug of its name that is free, as the unique index decides. Within a transaction,
 * which a refused insert would end, one that is free there; a rival makes the transaction fail as a transient one.
 */
export async function insertWithSlug<D extends Slugged>(
  collection: SluggedCollection,
  { name, withSlug, session }: InsertWithSlugInput<D>,
): Promise<D> {
  if (session !== undefined) {
    const [slug = toSlug(name)] = await findFreeSlugs(collection, { name, session })
    const document = withSlug(slug)
    await collection.insertOne(document, { session })
    return document
  }

  let slug = toSlug(name)
  // Each time the choice is made among twice as many, so that rivals for one name go apart.
  for (let tries = 1, choice = 1; ; tries += 1, choice *= 2) {
    const document = withSlug(slug)
    try {
      await collection.insertOne(document)
      return document
    } catch (error) {
      if (duplicateKeyField(error) !== 'slug' || tries === MAX_TRIES) throw error
    }
    const free = await findFreeSlugs(collection, { name })
    slug = free[Math.floor(Math.random() * Math.min(choice, free.length))] ?? slug
  }
}
