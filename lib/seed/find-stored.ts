import type { ObjectId } from 'mongodb'
import type { Database } from '../db/connect.ts'
import { seedGames, seedPlatforms } from './seed-data.ts'

/** Slugs of the first data with the ids of the entries that are stored for them. */
export type IdBySlug = ReadonlyMap<string, ObjectId>

interface Identities {
  _id: ObjectId
  slug: string
  igdbId: number | undefined
  vndbId: string | undefined
}

/** An entry is the same under another slug when a source knows it by the same id. */
function match(seeds: readonly Omit<Partial<Identities> & { slug: string }, '_id'>[], stored: Identities[]): IdBySlug {
  const isSame = (id: unknown, other: unknown) => id !== undefined && id === other

  return new Map(
    seeds.flatMap(({ slug, igdbId, vndbId }): [string, ObjectId][] => {
      const entry =
        stored.find((each) => each.slug === slug) ??
        stored.find((each) => isSame(igdbId, each.igdbId) || isSame(vndbId, each.vndbId))
      return entry === undefined ? [] : [[slug, entry._id]]
    }),
  )
}

const toIdentities = (seeds: readonly { slug: string; igdbId?: number; vndbId?: string }[]) => ({
  slugs: seeds.map(({ slug }) => slug),
  igdbIds: seeds.flatMap(({ igdbId }) => igdbId ?? []),
  vndbIds: seeds.flatMap(({ vndbId }) => vndbId ?? []),
})

/** Finds which platforms of the first data are stored. */
export async function findStoredPlatforms({ platforms }: Database): Promise<IdBySlug> {
  const { slugs, igdbIds, vndbIds } = toIdentities(seedPlatforms)
  const stored = await platforms
    .find({ $or: [{ slug: { $in: slugs } }, { igdbId: { $in: igdbIds } }, { vndbId: { $in: vndbIds } }] })
    .toArray()
  return match(
    seedPlatforms,
    stored.map(({ _id, slug, igdbId, vndbId }) => ({ _id, slug, igdbId, vndbId })),
  )
}

/** Finds which games of the first data are stored. */
export async function findStoredGames({ games }: Database): Promise<IdBySlug> {
  const { slugs, igdbIds, vndbIds } = toIdentities(seedGames)
  const stored = await games
    .find(
      { $or: [{ slug: { $in: slugs } }, { 'igdb.gameId': { $in: igdbIds } }, { 'vndb.vnId': { $in: vndbIds } }] },
      { projection: { slug: 1, 'igdb.gameId': 1, 'vndb.vnId': 1 } },
    )
    .toArray()
  return match(
    seedGames,
    stored.map(({ _id, slug, igdb, vndb }) => ({ _id, slug, igdbId: igdb?.gameId, vndbId: vndb?.vnId })),
  )
}
