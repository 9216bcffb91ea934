import { ObjectId } from 'mongodb'
import { stringsIn } from '../../names/normalise-name.ts'
import { isObjectKey } from '../../storage/object-key.ts'
import type { ObjectKey } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'

type SweepDeps = Pick<RequestsDeps, 'db' | 'storage'>

interface Sweeping {
  requestId: ObjectId
  /** The claim under which the notes are cleared, as it is stored; null or absent for a request without one. */
  claimedAt?: Date | null | undefined
  /** What the approval knows to have stored, whatever became of its notes. */
  stored?: readonly ObjectKey[]
  /** Keys whose notes stay, to be cleared once more, where the storage may store late. */
  uncertainUploads?: readonly string[]
}

const entityOf = (key: ObjectKey) => new ObjectId(key.split('/')[1])

/** Those of the keys that the entries which they belong to refer to at this moment. */
async function findReferenced({ db }: SweepDeps, keys: readonly ObjectKey[]): Promise<Set<ObjectKey>> {
  const _id = { $in: keys.map(entityOf) }
  const [games, characters] = await Promise.all([
    db.games.find({ _id }, { projection: { cover: 1, screenshots: 1, artworks: 1 } }).toArray(),
    db.characters.find({ _id }, { projection: { mugShot: 1 } }).toArray(),
  ])
  const urls = [
    ...games.flatMap(({ cover, screenshots, artworks }) => [cover, ...stringsIn(screenshots), ...stringsIn(artworks)]),
    ...characters.map(({ mugShot }) => mugShot),
  ]
  // By their ends: the storage may have had another address when they were written.
  return new Set(keys.filter((key) => stringsIn(urls).some((url) => url.endsWith(`/${key}`))))
}

/**
 * Deletes the objects that are noted on a request and that no entry of the catalogue refers to, then takes the notes away
 * but for those under which something may still be stored.
 * Doing it again is no error; where something fails the notes stay.
 * @throws StorageError, or what the database throws
 */
export async function deleteOrphanedUploads(
  deps: SweepDeps,
  { requestId, claimedAt, stored = [], uncertainUploads = [] }: Sweeping,
): Promise<void> {
  const { contentRequests } = deps.db
  const own = { _id: requestId, claimedAt: claimedAt ?? null }
  // Under another claim they are about what somebody else stores at this moment.
  const noted = (await contentRequests.findOne(own, { projection: { work: 1 } }))?.work ?? []
  const keys = [...new Set([...noted.filter(isObjectKey), ...stored])]

  if (keys.length > 0) {
    const referenced = await findReferenced(deps, keys)
    await deps.storage.delete(keys.filter((key) => !referenced.has(key)))
  }
  const late = deps.storage.mayStoreAfterFailure ? uncertainUploads : []
  const work = noted.filter((key) => !late.includes(key))
  if (work.length > 0) await contentRequests.updateOne(own, { $pullAll: { work } })
}
