import type { ObjectId } from 'mongodb'
import { isEmpty } from '#lib/base/values/without-empty'
import { SOURCE_POLICIES } from '#lib/contract/sources'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import type { GameFields } from './change-game.ts'
import { listAchievements, listLinkedIds } from './linked-ids.ts'

/**
 * The fields that an entry writes: with `all` every field that its source may write, with `uncurated` those of them that no
 * approval has written, with `link` only the part that links the entry.
 */
export type Writes = 'all' | 'uncurated' | 'link'

export type GameFacts = Omit<GameDocument, 'slug' | 'createdAt' | 'updatedAt'>

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

/** Selects the fields to write. Each relation is a field, so that the others stay. A game is never related to itself. */
function fieldsFor(game: GameFacts | null, { source, fields }: ResolvedEntry, writes: Writes): GameFields {
  if (game === null) return fields
  function select(values: object, stored: object, path = '') {
    const storedNow = new Map<string, unknown>(Object.entries(stored))
    const written = Object.entries(values).filter(
      ([name, value]) =>
        !isEmpty(value) && mayWrite(game, { source, field: path + name, stored: storedNow.get(name), writes }),
    )
    return Object.fromEntries(written)
  }
  const { relatedGames, ...others } = fields
  const isOther = (id: ObjectId) => !id.equals(game._id)
  const related = Object.entries(relatedGames ?? {}).map(([relation, ids]) => [
    relation,
    Array.isArray(ids) ? ids.filter(isOther) : isOther(ids) ? ids : null,
  ])
  const relations = select(Object.fromEntries(related), game.relatedGames ?? {}, 'relatedGames.')
  return {
    ...select(others, game),
    ...(!isEmpty(relations) && { relatedGames: { ...game.relatedGames, ...relations } }),
  }
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
 * Computes the fields that an entry of a source writes to a game, or to a new one (null). Each source writes its part. Besides
 * it, IGDB writes every field that it has, but only empty fields of a game made by hand; VNDB writes only empty fields; HLTB
 * and RetroAchievements write no others.
 */
export function entryChanges(game: GameFacts | null, resolved: ResolvedEntry, writes: Writes = 'all'): GameFields {
  return { ...(writes !== 'link' && fieldsFor(game, resolved, writes)), ...partFor(game, resolved, writes) }
}
