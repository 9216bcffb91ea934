import type { ObjectId } from 'mongodb'
import { isEmpty } from '#lib/base/values/without-empty'
import { SOURCE_POLICIES } from '#lib/contract/sources'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import type { GameFields } from './change-game.ts'
import { listAchievements, listLinkedIds } from './linked-ids.ts'

/**
 * `all` writes every field that the source may write, `uncurated` those of them that no approval has written, and `link` only
 * the part that links the entry.
 */
export type Writes = 'all' | 'uncurated' | 'link'

export type GameFacts = Omit<GameDocument, 'slug' | 'createdAt' | 'updatedAt'>

type Relations = NonNullable<GameDocument['relatedGames']>
type SourcePart = Pick<GameFields, 'igdb' | 'vndb' | 'hltb' | 'retroachievements'>

interface FieldWrite {
  source: ResolvedEntry['source']
  /** The name of a relation is `relatedGames.<relation>`. */
  field: string
  stored: unknown
  writes: Writes
}

/** True when a source may write a field of a game. */
export function mayWrite(
  game: Pick<GameDocument, 'isCustom' | 'curatedFields'> | null,
  { source, field, stored, writes: extent }: FieldWrite,
): boolean {
  if (game === null) return true
  if (extent === 'uncurated' && game.curatedFields?.includes(field)) return false
  const { writes } = SOURCE_POLICIES[source]
  if (writes === 'all' && game.isCustom !== true) return true
  return writes !== 'none' && isEmpty(stored)
}

/** Merges relations one by one, so that relations unknown to the source stay. A game is never related to itself. */
function relationsFor(game: GameFacts, { source, fields }: ResolvedEntry, writes: Writes): Relations | undefined {
  const stored: Relations = game.relatedGames ?? {}
  const isOther = (id: ObjectId) => !id.equals(game._id)
  const { parent_game: parent, ...lists } = fields.relatedGames ?? {}
  const relations = [
    ['parent_game', parent && isOther(parent) ? parent : null],
    ...Object.entries(lists).map(([relation, ids]) => [relation, ids.filter(isOther)]),
  ]
  const storedNow = new Map<unknown, unknown>(Object.entries(stored))
  const written = relations.filter(
    ([name, value]) =>
      !isEmpty(value) && mayWrite(game, { source, field: `relatedGames.${name}`, stored: storedNow.get(name), writes }),
  )
  return written.length === 0 ? undefined : { ...stored, ...Object.fromEntries(written) }
}

function fieldsFor(game: GameFacts | null, resolved: ResolvedEntry, writes: Writes): GameFields {
  if (game === null) return resolved.fields
  const stored = new Map<string, unknown>(Object.entries(game))
  const { relatedGames: _, ...fields } = resolved.fields
  const relatedGames = relationsFor(game, resolved, writes)
  const written = Object.entries(fields).filter(
    ([field, value]) =>
      !isEmpty(value) && mayWrite(game, { source: resolved.source, field, stored: stored.get(field), writes }),
  )
  return { ...Object.fromEntries(written), ...(relatedGames && { relatedGames }) }
}

function partFor(game: GameFacts | null, resolved: ResolvedEntry, writes: Writes): SourcePart {
  // A link may hold only the id, so the fields of an earlier parse of the same entry stay.
  const isKept = writes === 'link' && game !== null && listLinkedIds(game, resolved.source).includes(resolved.id)
  switch (resolved.source) {
    case 'igdb':
      return { igdb: { ...(isKept && game.igdb), ...resolved.part } }
    case 'vndb':
      return { vndb: { ...(isKept && game.vndb), ...resolved.part } }
    case 'hltb':
      return { hltb: { ...(isKept && game.hltb), ...resolved.part } }
    case 'ra': {
      const { part } = resolved
      const listed = game === null ? [] : listAchievements(game)
      const merged = listed.map((achievement) =>
        achievement.gameId === part.gameId ? { ...(isKept && achievement), ...part } : achievement,
      )
      return { retroachievements: listed.some(({ gameId }) => gameId === part.gameId) ? merged : [...listed, part] }
    }
  }
}

/**
 * The fields that an entry of a source writes to a game, or to a new one (null). IGDB writes every field that it knows, but
 * only empty fields of a game made by hand; VNDB only empty fields; HLTB and RetroAchievements nothing but their own part,
 * which each source always writes.
 */
export function entryChanges(game: GameFacts | null, resolved: ResolvedEntry, writes: Writes = 'all'): GameFields {
  return { ...(writes !== 'link' && fieldsFor(game, resolved, writes)), ...partFor(game, resolved, writes) }
}
