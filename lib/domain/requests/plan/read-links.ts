import type { GamePayload } from '#lib/contract/index'
import type { Source } from '#lib/contract/sources'
import { noSuchEntry } from '#lib/infrastructure/sources/source-reader'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import { type ResolvedEntry, resolveEntries, type Sourced } from '../../catalogue/entries/resolve-entries.ts'
import type { GameFacts, Writes } from '../../catalogue/games/entry-changes.ts'
import { findLinkedGame, isExclusive, isLinkable } from '../../catalogue/games/linked-ids.ts'
import type { RequestsDeps } from '../deps.ts'
import { differentConsole, fromVndb, linkedUnparsed, notParsed, notSynced, ownedBy } from '../link-warnings.ts'

export type PlanDeps = Pick<RequestsDeps, 'db' | 'clock' | 'sources' | 'failpoint'>

/** An entry of a source that the game is linked to, and how much of it is written. */
export interface Link {
  resolved: ResolvedEntry
  writes: Writes
}

/** The fields of a payload that name entries of sources. */
export type SourceIds = Pick<GamePayload, 'igdbId' | 'vndbId' | 'hltbId' | 'retroachievements'>

/** Reads an entry of a source in terms of the catalogue. Answers the error of the source. @throws the signal's reason */
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

interface LinkInput {
  source: Source
  id: string
  /** The link that is stored for an entry that cannot be read; absent where such an entry is left out. */
  unread?: Sourced
  /** The warning of an entry that cannot be read. */
  warn: (entry: { source: Source; id: string }, error: SourceError) => string
}

function listLinks({ igdbId, vndbId, hltbId, retroachievements = [] }: SourceIds, now: Date): LinkInput[] {
  const links: LinkInput[] = []
  if (igdbId !== undefined) links.push({ source: 'igdb', id: String(igdbId), warn: notParsed })
  if (vndbId !== undefined) {
    const unread = { source: 'vndb', part: { vnId: vndbId } } as const
    links.push({ source: 'vndb', id: vndbId, unread, warn: linkedUnparsed })
  }
  if (hltbId !== undefined) {
    const unread = { source: 'hltb', part: { hltbId, updatedAt: now } } as const
    links.push({ source: 'hltb', id: hltbId, unread, warn: notSynced })
  }
  for (const part of retroachievements) {
    links.push({ source: 'ra', id: String(part.gameId), unread: { source: 'ra', part }, warn: linkedUnparsed })
  }
  return links
}

/** @returns the warning of an achievement set that is of another console than was proposed */
function findMismatch(proposed: Sourced | undefined, { source, part }: ResolvedEntry): string | undefined {
  if (source !== 'ra' || proposed?.source !== 'ra' || proposed.part.consoleId === part.consoleId) return undefined
  return differentConsole(part.gameId, { theirs: part.consoleId, ours: proposed.part.consoleId })
}

/** @returns the link that an id leads to, and the warning why it leads to none or to a bare one */
async function readLink(
  deps: PlanDeps,
  game: GameFacts,
  { source, id, unread, warn, signal }: LinkInput & { signal: AbortSignal },
): Promise<{ linked?: Link; warning?: string | undefined }> {
  if (!isLinkable(game, source)) return { warning: fromVndb({ source, id }) }
  const owner = isExclusive(source) ? await findLinkedGame(deps, { source, id }) : null
  if (owner !== null && !owner._id.equals(game._id)) return { warning: ownedBy({ source, id }, owner) }

  const resolved = await readEntry(deps, { source, id, signal })
  const isRead = !(resolved instanceof SourceError)
  const warning = isRead ? findMismatch(unread, resolved) : warn({ source, id }, resolved)
  if (isRead && warning === undefined) return { linked: { resolved, writes: 'all' } }
  if (unread === undefined) return { warning }
  const bare = { ...unread, id, fields: { name: '' }, images: {}, characters: [] }
  return { linked: { resolved: bare, writes: 'link' }, warning }
}

/**
 * Reads the entries that the ids of a payload name, and writes nothing. An entry that may not be linked to the game, or cannot
 * be read, becomes a warning.
 */
export async function readLinks(
  deps: PlanDeps,
  { signal, warnings }: { signal: AbortSignal; warnings: string[] },
  { game, ids }: { game: GameFacts; ids: SourceIds },
): Promise<Link[]> {
  const links = listLinks(ids, deps.clock())
  const read = await Promise.all(links.map((link) => readLink(deps, game, { ...link, signal })))
  warnings.push(...read.flatMap(({ warning }) => warning ?? []))
  return read.flatMap(({ linked }) => linked ?? [])
}
