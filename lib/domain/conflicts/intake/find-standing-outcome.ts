import type { ObjectId } from 'mongodb'
import type { SyncNew } from '#lib/contract/entries'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { listLinkedIds } from '../../catalogue/games/linked-ids.ts'
import { isAboutEntries, toConflictState } from '../states.ts'
import { findWinnerId } from '../to-wire.ts'
import { isBackground } from '../writer/find-decisions.ts'
import type { Standing } from './load-standings.ts'
import type { HandedEntry } from './read-entries.ts'

/** The game that an entry is. */
export interface Target {
  gameId: ObjectId
  /** The entry of the source. */
  entryId: string
}

type StandingOutcome =
  | { outcome: 'decided' | 'unchanged'; gameId: ObjectId | null }
  | { outcome: 'refreshed'; target: Target }

/** Finds the game that is linked to the entry, or that its closed record names. */
function findTarget(source: Source, externalId: string, { record, game }: Standing): Target | null {
  const isClosed = record !== null && (record.status !== 'pending' || record.isRefresh === true)
  const winner = isClosed ? findWinnerId(record) : null
  if (!isAboutEntries(source)) {
    const gameId = game?._id ?? winner
    return gameId === null ? null : { gameId, entryId: externalId }
  }
  const chosen = winner === null ? null : record?.winnerEntryId
  const entryId = (game && listLinkedIds(game, source)[0]) ?? chosen
  return game === null || entryId == null ? null : { gameId: game._id, entryId }
}

/** True while a person's decision is queued, and when a person left the entry without a game. */
function isPersonsWord(record: ConflictDocument, target: Target | null): boolean {
  if (isBackground(record)) return false
  const state = toConflictState(record)
  return state === 'queued-match' || state === 'queued-new' || (state === 'new-game' && target === null)
}

/** Finds what becomes of an entry according to its record and its linked game; null when the matcher decides. */
export function findStandingOutcome(
  { source, externalId, entryHash }: Pick<HandedEntry, 'externalId' | 'entryHash'> & { source: Source },
  standing: Standing,
  syncNew: SyncNew,
): StandingOutcome | null {
  const { record, game } = standing
  const target = findTarget(source, externalId, standing)
  const gameId = target?.gameId ?? null
  if (record !== null && isPersonsWord(record, target)) return { outcome: 'decided', gameId: findWinnerId(record) }
  if (record?.entryHash === entryHash) return { outcome: 'unchanged', gameId: gameId ?? findWinnerId(record) }
  if (target === null) return syncNew === 'linked' ? { outcome: 'unchanged', gameId } : null
  // A person wants to decide it again.
  if (record?.reopenedBy !== undefined && toConflictState(record) === 'waiting') return null
  return game?.isStopParsing === true ? { outcome: 'unchanged', gameId } : { outcome: 'refreshed', target }
}
