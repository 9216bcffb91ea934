import type { ClientSession, ObjectId } from 'mongodb'
import type { GameDocument } from '../db/collections/games.ts'
import { duplicateKeyField } from '../db/duplicate-key.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import type { GamesDeps } from './deps.ts'
import { entryChanges } from './entry-changes.ts'
import { fencingFields } from './fencing-token.ts'
import { findLinkedGame } from './find-linked-game.ts'
import { insertGame } from './insert-game.ts'
import { linkEntry } from './link-entry.ts'

interface Creation {
  /** With the addresses of its copied images among its fields. */
  resolved: ResolvedEntry
  /** The id under which the images were copied. */
  gameId?: ObjectId | undefined
  /** Of the lease under which it is written. */
  fence?: number | undefined
  session?: ClientSession | undefined
}

type Created = { game: GameDocument; isNew: boolean }

const TAKEN = new Set(['_id', 'igdb.gameId', 'vndb.vnId'])
/** One that was there at the insert may be deleted before it is read. */
const MOST_TRIES = 5

/** What an insert met: the game that has the entry, else the one with the id, which is given the entry again. */
async function findMet(
  deps: Pick<GamesDeps, 'db' | 'clock'>,
  { resolved, gameId, fence }: Creation,
): Promise<GameDocument | 'taken' | null> {
  const { source, id } = resolved
  const owner = await findLinkedGame(deps, { source, id })
  if (owner !== null || gameId === undefined) return owner

  const linked = await linkEntry(deps, { gameId, resolved, writes: 'all', fence })
  if (linked.outcome === 'written') return linked.game
  if (linked.outcome === 'linked-elsewhere') return 'taken'
  return linked.outcome === 'fenced' ? await deps.db.games.findOne({ _id: gameId }) : null
}

/**
 * Makes a game of an entry of a source. Where the catalogue has one with this entry already it is answered, and stays as
 * it is. One that was made under this id before and lost the entry is given it again.
 */
export async function createFromEntry(deps: Pick<GamesDeps, 'db' | 'clock'>, creation: Creation): Promise<Created> {
  const { resolved, gameId, fence, session } = creation
  const { source, id, fields } = resolved
  const game = { ...entryChanges(null, resolved), name: fields.name, ...fencingFields(null, source, fence) }
  let ownId = gameId && { _id: gameId }
  if (session !== undefined) {
    // The unique index would end the transaction.
    const owner = await findLinkedGame(deps, { source, id, session })
    if (owner !== null) return { game: owner, isNew: false }
    return { game: await insertGame(deps, { ...game, ...ownId }, { session }), isNew: true }
  }

  for (let tries = 1; ; tries += 1) {
    try {
      return { game: await insertGame(deps, { ...game, ...ownId }), isNew: true }
    } catch (error) {
      if (!TAKEN.has(duplicateKeyField(error) ?? '') || tries === MOST_TRIES) throw error
    }
    const met = await findMet(deps, creation)
    if (met === 'taken') ownId = undefined
    else if (met !== null) return { game: met, isNew: false }
  }
}
