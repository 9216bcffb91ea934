import type { Source } from '#lib/contract/sources'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'
import { noSuchEntry } from '#lib/infrastructure/sources/create-reader'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import { type ResolvedEntry, resolveEntries, type Sourced } from '../../catalogue/entries/resolve-entries.ts'
import type { GameFacts } from '../../catalogue/games/entry-changes.ts'
import { findLinkedGame, isExclusive, isLinkable } from '../../catalogue/games/linked-ids.ts'
import { differentConsole, fromVndb, linkedUnparsed, notParsed, notSynced, ownedBy } from '../link-warnings.ts'
import type { Achievements, Link, Links, PlanDeps, Planning, SourceIds } from '../plan-types.ts'

/** Reads an entry of a source in terms of the catalogue; where that fails, answers why. @throws the signal's reason */
export async function readEntry(
  deps: PlanDeps,
  { source, id, signal }: { source: Source; id: string; signal: AbortSignal },
): Promise<ResolvedEntry | SourceError> {
  await deps.failpoint('approval:reading-source')
  try {
    const [resolved] = await resolveEntries(deps, [await deps.sources[source].read(id, { signal })])
    return resolved ?? noSuchEntry(source)
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
}

/** The link that an id leads to, or the warning why it leads to none. */
interface LinkOutcome<T> {
  linked?: T
  warning?: string
}

interface LinkInput {
  entry: Pick<ResolvedEntry, 'source' | 'id'>
  /** The link that is stored for an entry that cannot be read; null where such an entry is left out. */
  unread: Sourced | null
  /** The warning of an entry that cannot be read. */
  warn: (entry: Pick<ResolvedEntry, 'source' | 'id'>, error: SourceError) => string
}

const RA_CONCURRENCY = 2

async function readLink(
  deps: PlanDeps,
  { _id }: GameFacts,
  { entry, unread, warn, signal }: LinkInput & { signal: AbortSignal },
): Promise<LinkOutcome<Link>> {
  const owner = isExclusive(entry.source) ? await findLinkedGame(deps, { ...entry, source: entry.source }) : null
  if (owner !== null && !owner._id.equals(_id)) return { warning: ownedBy(entry, owner) }

  const resolved = await readEntry(deps, { ...entry, signal })
  if (!(resolved instanceof SourceError)) return { linked: { resolved, writes: 'all' } }
  const warning = warn(entry, resolved)
  if (unread === null) return { warning }
  const bare = { ...unread, id: entry.id, fields: { name: '' }, images: {}, characters: [] }
  return { linked: { resolved: bare, writes: 'link' }, warning }
}

function listLinks({ igdbId, vndbId, hltbId }: SourceIds, now: Date): LinkInput[] {
  const links: LinkInput[] = []
  if (igdbId !== undefined) {
    links.push({ entry: { source: 'igdb', id: String(igdbId) }, unread: null, warn: notParsed })
  }
  if (vndbId !== undefined) {
    const unread = { source: 'vndb', part: { vnId: vndbId } } as const
    links.push({ entry: { source: 'vndb', id: vndbId }, unread, warn: linkedUnparsed })
  }
  if (hltbId !== undefined) {
    const unread = { source: 'hltb', part: { hltbId, updatedAt: now } } as const
    links.push({ entry: { source: 'hltb', id: hltbId }, unread, warn: notSynced })
  }
  return links
}

async function readAchievements(deps: PlanDeps, { gameId, consoleId }: Achievements, signal: AbortSignal) {
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
  { game, ids }: { game: GameFacts; ids: SourceIds },
): Promise<Links> {
  const [entries, achievements] = await Promise.all([
    Promise.all(
      listLinks(ids, deps.clock()).map(async (link): Promise<LinkOutcome<Link>> => {
        if (!isLinkable(game, link.entry.source)) return { warning: fromVndb(link.entry) }
        return await readLink(deps, game, { ...link, signal })
      }),
    ),
    mapLimited(ids.retroachievements ?? [], RA_CONCURRENCY, (achievement) =>
      readAchievements(deps, achievement, signal),
    ),
  ])
  warnings.push(...[...entries, ...achievements].flatMap(({ warning }) => warning ?? []))
  return {
    entries: entries.flatMap(({ linked }) => linked ?? []),
    achievements: achievements.flatMap(({ linked }) => linked ?? []),
  }
}
