import type { ObjectId } from 'mongodb'
import { SOURCE_POLICIES, type Source } from '#lib/contract/sources'
import type { PlatformDocument } from '#lib/infrastructure/db/collections/platforms'
import { ANY_CASE } from '#lib/infrastructure/db/collections/users'
import type { CatalogueDeps } from '../deps.ts'

type Key = string | number
/** Converts keys of a source to platforms of the catalogue, without those that the catalogue lacks. */
export type PlatformFinder = (keys: readonly Key[]) => ObjectId[]

const inAnyCase = (key: Key) => String(key).toLowerCase()

/** Reads the platforms of entries with one query: by the source's ids, or by names when the source has no ids. */
export async function findPlatforms(
  { db }: { db: Pick<CatalogueDeps['db'], 'platforms'> },
  source: Source,
  keys: readonly Key[],
): Promise<PlatformFinder> {
  const field = SOURCE_POLICIES[source].platformField ?? 'name'
  const isNumber = field === 'igdbId' || field === 'raConsoleId'
  const wanted = [...new Set(keys.map((key) => (isNumber ? Number(key) : String(key))))]
  if (wanted.length === 0) return () => []
  const rows = await db.platforms
    .find<Pick<PlatformDocument, '_id' | typeof field>>(
      { [field]: { $in: wanted } },
      { projection: { [field]: 1 }, ...(field === 'name' && { collation: ANY_CASE }) },
    )
    .sort({ _id: -1 })
    .toArray()
  // The older of two platforms with one key wins.
  const ids = new Map(
    rows.flatMap((row) => (row[field] === undefined ? [] : [[inAnyCase(row[field]), row._id] as const])),
  )
  return (keys) => keys.flatMap((key) => ids.get(inAnyCase(key)) ?? [])
}
