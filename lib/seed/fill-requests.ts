import type { ObjectId } from 'mongodb'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import { findDemoAccounts } from './find-demo-accounts.ts'
import { findStoredGames, findStoredPlatforms, type IdBySlug } from './find-stored.ts'
import { insertMissing } from './insert-missing.ts'
import { type SeedRequest, seedRequests } from './seed-data.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

interface StoredEntries {
  game: IdBySlug
  character: IdBySlug
  platforms: IdBySlug
  /** Ids by user name. */
  users: ReadonlyMap<string, ObjectId>
  at: Date
}

const toHex = (slugs: readonly string[], known: IdBySlug) =>
  slugs.flatMap((slug) => known.get(slug)?.toHexString() ?? [])

function toDocument(
  seed: SeedRequest,
  { at, users, platforms, ...entries }: StoredEntries,
): ContentRequestDocument | undefined {
  const { kind, target, decision, note } = seed
  const ago = (minutes: number) => new Date(at.getTime() - minutes * 60_000)
  const toId = (slug: string | undefined) => (slug === undefined ? null : entries[kind].get(slug))
  const [userId, targetId, resultId] = [users.get(seed.author), toId(target), toId(decision?.result)]
  const decidedBy = decision === undefined ? null : users.get(decision.by)
  if (userId === undefined || targetId === undefined || resultId === undefined || decidedBy === undefined)
    return undefined

  const payload = {
    ...seed.payload,
    ...(seed.platforms && { platformIds: toHex(seed.platforms, platforms) }),
    ...(seed.games && { gameIds: toHex(seed.games, entries.game) }),
  }
  return {
    // Without a slot: whoever fills in later may have requests in all of them.
    _id: seedId('request', seed.key),
    kind,
    action: target === undefined ? 'add' : 'update',
    targetId,
    payload,
    sources: seed.sources,
    note: note ?? null,
    status: decision?.status ?? 'pending',
    userId,
    ...(decision && {
      appliedFields: decision.status === 'approved' ? Object.keys(payload) : [],
      resultId,
      reason: decision.reason ?? null,
      decidedAt: ago(decision.minutesAgo),
      decidedBy,
    }),
    createdAt: ago(seed.minutesAgo),
    updatedAt: ago(decision?.minutesAgo ?? seed.minutesAgo),
  }
}

/** Stores requests of the demo users, as far as what they name is there. */
export async function fillRequests({ db, at }: SeedContext): Promise<void> {
  const slugs = seedRequests.flatMap(({ kind, target }) => (kind === 'character' && target !== undefined ? target : []))
  const [game, platforms, characters, accounts] = await Promise.all([
    findStoredGames(db),
    findStoredPlatforms(db),
    db.characters.find({ slug: { $in: slugs } }, { projection: { slug: 1 } }).toArray(),
    findDemoAccounts(db),
  ])
  const character = new Map(characters.map(({ slug, _id }) => [slug, _id]))
  const users = new Map(accounts.map(({ userName, _id }) => [userName, _id]))

  await insertMissing(
    db.contentRequests,
    seedRequests.flatMap((seed) => toDocument(seed, { game, character, platforms, users, at }) ?? []),
  )
}
