import { mapLimited } from '../../concurrency/map-limited.ts'
import type { GameDocument } from '../../db/collections/games.ts'
import type { ResolvedEntry } from '../../entries/resolve-entries.ts'
import type { GameFacts } from '../../games/entry-changes.ts'
import { findLinkedGame } from '../../games/find-linked-game.ts'
import { isVndbGame } from '../../games/linked-ids.ts'
import { SourceError } from '../../sources/transport/errors.ts'
import type { Achievements, Link, Links, SourceIds } from './game-plan.ts'
import { differentConsole, fromVndb, linkedUnparsed, notParsed, notSynced, ownedBy } from './link-warnings.ts'
import type { PlanDeps, Planning } from './plan-input.ts'
import { readEntry } from './read-entry.ts'

interface ReadLinksInput {
  /** A game of the catalogue, or a draft. */
  game: GameFacts
  ids: SourceIds
  signal: AbortSignal
}

/** The result of reading an id. */
interface LinkOutcome<T> {
  linked?: T
  warning?: string
}

const RA_CONCURRENCY = 2

/** An entry that could not be read: nothing but its id. */
const toUnreadEntry = <P extends Pick<ResolvedEntry, 'source' | 'part'>>(sourced: P, id: string) => ({
  ...sourced,
  id,
  fields: { name: '' },
  images: {},
  characters: [],
})

async function findOther(
  deps: PlanDeps,
  { _id }: GameFacts,
  entry: Pick<ResolvedEntry, 'source' | 'id'>,
): Promise<GameDocument | null> {
  const owner = await findLinkedGame(deps, entry)
  return owner?._id.equals(_id) ? null : owner
}

async function readIgdb(deps: PlanDeps, { game, ids: { igdbId }, signal }: ReadLinksInput): Promise<LinkOutcome<Link>> {
  if (igdbId === undefined) return {}
  const entry = { source: 'igdb', id: String(igdbId) } as const
  if (isVndbGame(game)) return { warning: fromVndb(entry.id) }
  const owner = await findOther(deps, game, entry)
  if (owner !== null) return { warning: ownedBy(entry, owner) }

  const resolved = await readEntry(deps, { ...entry, signal })
  return resolved instanceof SourceError
    ? { warning: notParsed(entry, resolved) }
    : { linked: { resolved, writes: 'all' } }
}

async function readVndb(
  deps: PlanDeps,
  { game, ids: { vndbId: id }, signal }: ReadLinksInput,
): Promise<LinkOutcome<Link>> {
  if (id === undefined) return {}
  const entry = { source: 'vndb', id } as const
  const owner = await findOther(deps, game, entry)
  if (owner !== null) return { warning: ownedBy(entry, owner) }

  const resolved = await readEntry(deps, { ...entry, signal })
  if (!(resolved instanceof SourceError)) return { linked: { resolved, writes: 'all' } }
  const bare = toUnreadEntry({ source: 'vndb', part: { vnId: id } } as const, id)
  return { linked: { resolved: bare, writes: 'link' }, warning: linkedUnparsed(entry, resolved) }
}

async function readHltb(deps: PlanDeps, { ids: { hltbId: id }, signal }: ReadLinksInput): Promise<LinkOutcome<Link>> {
  if (id === undefined) return {}
  const entry = { source: 'hltb', id } as const
  const resolved = await readEntry(deps, { ...entry, signal })
  if (!(resolved instanceof SourceError)) return { linked: { resolved, writes: 'all' } }
  const bare = toUnreadEntry({ source: 'hltb', part: { hltbId: id, updatedAt: deps.clock() } } as const, id)
  return { linked: { resolved: bare, writes: 'link' }, warning: notSynced(entry, resolved) }
}

async function readAchievements(
  deps: PlanDeps,
  { gameId, consoleId }: Achievements,
  signal: AbortSignal,
): Promise<LinkOutcome<Achievements>> {
  const entry = { source: 'ra', id: String(gameId) } as const
  const bare = { gameId, consoleId }
  const resolved = await readEntry(deps, { ...entry, signal })
  if (resolved instanceof SourceError) return { linked: bare, warning: linkedUnparsed(entry, resolved) }
  if (resolved.source !== 'ra') return { linked: bare }

  const { part } = resolved
  return part.consoleId === consoleId
    ? { linked: part }
    : { linked: bare, warning: differentConsole(gameId, { theirs: part.consoleId, ours: consoleId }) }
}

/**
 * Reads the entries that the ids of a payload name, each as far as it may be linked to the game; nothing is written. An
 * entry that cannot be linked or read becomes a warning.
 */
export async function readLinks(
  deps: PlanDeps,
  { signal, warnings }: Pick<Planning, 'signal' | 'warnings'>,
  { game, ids }: Omit<ReadLinksInput, 'signal'>,
): Promise<Links> {
  const input = { game, ids, signal }
  const [entries, achievements] = await Promise.all([
    Promise.all([readIgdb(deps, input), readVndb(deps, input), readHltb(deps, input)]),
    mapLimited(ids.retroachievements ?? [], RA_CONCURRENCY, (each) => readAchievements(deps, each, signal)),
  ])
  warnings.push(...[...entries, ...achievements].flatMap(({ warning }) => warning ?? []))
  return {
    entries: entries.flatMap(({ linked }) => linked ?? []),
    achievements: achievements.flatMap(({ linked }) => linked ?? []),
  }
}
