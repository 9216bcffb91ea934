import type { ObjectId } from 'mongodb'
import { toStoredCandidate } from '../conflicts/rematch-conflict.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { Database } from '../db/connect.ts'
import { MATCH_FIELDS, type MatchedGame, prepareSubject, scoreMatch } from '../matching/score.ts'
import { findStoredGames, findStoredPlatforms, type IdBySlug } from './find-stored.ts'
import { insertMissing } from './insert-missing.ts'
import { type SeedConflict, seedConflicts, seedEntriesConflicts } from './seed-data.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

type Facts = Omit<ConflictDocument, '_id' | 'status' | 'createdAt' | 'updatedAt'>

interface StoredGames {
  games: IdBySlug
  platforms: IdBySlug
  /** Games by id in hex. */
  read: ReadonlyMap<string, MatchedGame>
}

const toIds = (slugs: readonly string[], known: IdBySlug): ObjectId[] => slugs.flatMap((slug) => known.get(slug) ?? [])

/** Every conflict about games that is left, weighed as the service weighs matches. */
function aboutGames(seed: SeedConflict, { games, platforms, read }: StoredGames): Facts[] {
  const { source, externalId, name, reason } = seed
  const platformIds = toIds(seed.platforms, platforms)
  const subject = prepareSubject({
    name,
    alternativeNames: [...(seed.originalName ? [seed.originalName] : []), ...(seed.alternativeNames ?? [])],
    released: seed.released ?? null,
    companies: seed.developers ?? [],
    platformIds,
    summary: seed.description,
  })
  const candidates = toIds(seed.candidates, games)
    .flatMap((id) => read.get(id.toHexString()) ?? [])
    .map((game) => toStoredCandidate(scoreMatch(subject, game)))
    .sort((a, b) => b.score - a.score)
  if (candidates.length === 0) return []

  const externalData = {
    name,
    originalName: seed.originalName ?? null,
    alternativeNames: seed.alternativeNames ?? [],
    description: seed.description,
    released: seed.released ?? null,
    developers: seed.developers ?? [],
    platformIds,
    lengthMinutes: seed.lengthMinutes ?? null,
    cover: null,
    isExplicitCover: false,
    url: seed.url,
  }
  return [{ source, externalId, externalName: name, reason, candidates, decision: null, externalData }]
}

function aboutEntries({ games, read }: StoredGames): Facts[] {
  return seedEntriesConflicts.flatMap(({ game: slug, reason, entries }): Facts[] => {
    const game = read.get(games.get(slug)?.toHexString() ?? '')
    if (game === undefined) return []
    const links = entries.map((entry) => ({ ...entry, cover: null, url: `https://howlongtobeat.com/game/${entry.id}` }))
    const identity = { source: 'hltb', externalId: game._id.toHexString(), externalName: game.name } as const
    return [{ ...identity, reason, entries: links, decision: null }]
  })
}

async function leaveOutStored(
  { conflicts }: Database,
  documents: readonly ConflictDocument[],
): Promise<ConflictDocument[]> {
  const stored = await conflicts
    .find({ $or: documents.map(({ source, externalId }) => ({ source, externalId })) })
    .project<Pick<ConflictDocument, 'source' | 'externalId'>>({ source: 1, externalId: 1 })
    .toArray()
  return documents.filter(
    (one) => !stored.some(({ source, externalId }) => source === one.source && externalId === one.externalId),
  )
}

/** Stores conflicts of every source that wait for a decision, as far as the games that they are about are stored. */
export async function fillConflicts({ db, at }: SeedContext): Promise<void> {
  const [games, platforms] = await Promise.all([findStoredGames(db), findStoredPlatforms(db)])
  const rows = await db.games
    .find<MatchedGame>({ _id: { $in: [...games.values()] } }, { projection: MATCH_FIELDS })
    .toArray()
  const known = { games, platforms, read: new Map(rows.map((row) => [row._id.toHexString(), row])) }

  const facts = [...seedConflicts.flatMap((seed) => aboutGames(seed, known)), ...aboutEntries(known)]
  const documents = facts.map((each, index): ConflictDocument => {
    const foundAt = new Date(at.getTime() - (facts.length - index) * 60_000)
    return {
      _id: seedId('conflict', `${each.source}/${each.externalId}`),
      ...each,
      status: 'pending',
      createdAt: foundAt,
      updatedAt: foundAt,
    }
  })
  if (documents.length > 0) await insertMissing(db.conflicts, await leaveOutStored(db, documents))
}
