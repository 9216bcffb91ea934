import type { ObjectId } from 'mongodb'
import type { GameDocument } from '../db/collections/games.ts'
import { duplicateKeyField } from '../db/duplicate-key.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import type { GamesDeps } from './deps.ts'
import { entryChanges } from './entry-changes.ts'
import { fencingFields } from './fencing-token.ts'
import { findLinkedGame } from './find-linked-game.ts'
import { insertGame } from './insert-game.ts'
import { linkEntry } from './link-entry.ts'

interface CreateFromEntryInput {
  /** Entry whose fields hold the addresses of its copied images. */
  resolved: ResolvedEntry
  /** The id under which the images were copied. */
  gameId?: ObjectId | undefined
  /** Fencing token of the lease under which the game is written. */
  fencingToken?: number | undefined
}

type CreatedGame = { game: GameDocument; isNew: boolean }

const UNIQUE_FIELDS = new Set(['_id', 'igdb.gameId', 'vndb.vnId'])
/** A game that refused the insert may be deleted before it is read. */
const MAX_TRIES = 5

/** Finds the game that refused an insert: the owner of the entry, else the game with the id, which is given the entry again. */
async function findExisting(
  deps: Pick<GamesDeps, 'db' | 'clock'>,
  { resolved, gameId, fencingToken }: CreateFromEntryInput,
): Promise<GameDocument | 'id-taken' | null> {
  const { source, id } = resolved
  const owner = await findLinkedGame(deps, { source, id })
  if (owner !== null || gameId === undefined) return owner

  const game = await deps.db.games.findOne({ _id: gameId })
  if (game === null) return null
  const linked = await linkEntry(deps, { game, resolved, writes: 'all', fencingToken })
  if (linked.outcome === 'written') return linked.game
  if (linked.outcome === 'linked-elsewhere') return 'id-taken'
  return linked.outcome === 'superseded' ? game : null
}

/**
 * Makes a game of an entry of a source. A game of the catalogue that has the entry already is answered as it is; a game
 * that was made under this id before and lost the entry is given it again.
 */
export async function createFromEntry(
  deps: Pick<GamesDeps, 'db' | 'clock'>,
  input: CreateFromEntryInput,
): Promise<CreatedGame> {
  const { resolved, gameId, fencingToken } = input
  const { source, fields } = resolved
  const game = { ...entryChanges(null, resolved), name: fields.name, ...fencingFields(null, source, fencingToken) }
  let ownId = gameId && { _id: gameId }

  for (let tries = 1; ; tries += 1) {
    try {
      return { game: await insertGame(deps, { ...game, ...ownId }), isNew: true }
    } catch (error) {
      if (!UNIQUE_FIELDS.has(duplicateKeyField(error) ?? '') || tries === MAX_TRIES) throw error
    }
    const existing = await findExisting(deps, input)
    if (existing === 'id-taken') ownId = undefined
    else if (existing !== null) return { game: existing, isNew: false }
  }
}
