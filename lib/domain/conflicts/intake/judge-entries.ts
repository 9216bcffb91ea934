import { ObjectId } from 'mongodb'
import type { EntryResult, SyncNew } from '#lib/contract/entries'
import { MESSAGES } from '#lib/contract/messages'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { listLinkedIds } from '../../catalogue/games/linked-ids.ts'
import type { PlatformFinder } from '../../catalogue/platforms/find-platforms.ts'
import type { ConflictsDeps } from '../deps.ts'
import { isAboutEntries, toConflictState } from '../states.ts'
import { listCandidates } from '../stored-values.ts'
import { findWinnerId } from '../to-wire.ts'
import { isBackground } from '../writer/find-decisions.ts'
import type { StandingEntry } from './load-standings.ts'
import { type MatchedEntry, matchEntries, type Target } from './match-entries.ts'

export interface JudgeInput {
  source: Source
  syncNew: SyncNew
  toPlatformIds: PlatformFinder
}

export interface Verdict extends Pick<EntryResult, 'outcome' | 'reason' | 'message'> {
  gameId: ObjectId | null
  /** The fields to write; null where nothing is written. */
  change: Partial<ConflictDocument> | null
}

const NOTHING = { gameId: null, reason: null, message: null, change: null } as const

function toWinner(source: Source, target: Target | null) {
  const isOfGames = isAboutEntries(source)
  return {
    winner: isOfGames ? null : (target?.gameId ?? null),
    winnerEntryId: isOfGames ? (target?.entryId ?? null) : null,
  }
}

/** Finds the game that is linked to the entry, or that its closed record names. */
function findTarget(source: Source, { externalId, record, game }: StandingEntry): Target | null {
  const isClosed = record !== null && (record.status !== 'pending' || record.isRefresh === true)
  const winner = isClosed ? findWinnerId(record) : null
  if (!isAboutEntries(source)) {
    const gameId = game?._id ?? winner
    return gameId === null ? null : { gameId, entryId: externalId }
  }
  if (game === null) return null
  const entryId = listLinkedIds(game, source)[0] ?? (winner && record?.winnerEntryId)
  return entryId == null ? null : { gameId: game._id, entryId }
}

/** True while a person's decision is queued, and when a person left the entry without a game. */
function isPersonsWord(record: ConflictDocument, target: Target | null): boolean {
  if (isBackground(record)) return false
  const state = toConflictState(record)
  return state === 'queued-match' || state === 'queued-new' || (state === 'new-game' && target === null)
}

/** Finds what becomes of an entry according to its record and its linked game; null when the matcher decides. */
function settle({ source, syncNew }: JudgeInput, entry: StandingEntry): Verdict | null {
  const { record, game, fields } = entry
  if (isAboutEntries(source) && game === null) {
    return { ...NOTHING, outcome: 'refused', message: MESSAGES.gameNotFound }
  }
  const target = findTarget(source, entry)
  if (record && isPersonsWord(record, target)) return { ...NOTHING, outcome: 'decided', gameId: findWinnerId(record) }
  const gameId = target?.gameId ?? (record && findWinnerId(record))
  const unchanged = { ...NOTHING, outcome: 'unchanged', gameId } as const
  if (record?.entryHash === entry.entryHash) return unchanged
  if (target === null) return syncNew === 'linked' ? { ...unchanged, gameId: null } : null
  // A person wants to decide it again.
  if (record?.reopenedBy !== undefined && toConflictState(record) === 'waiting') return null
  if (game?.isStopParsing === true) return unchanged
  const decision = {
    decision: 'match',
    decisionId: new ObjectId(),
    isRefresh: true,
    ...toWinner(source, target),
  } as const
  return {
    ...unchanged,
    outcome: 'refreshed',
    change: { ...fields, status: 'pending', failure: null, ...decision },
  }
}

/** Puts the candidates that an admin found by hand before those that the matcher finds. */
function withManual(found: ConflictDocument['candidates'], record: ConflictDocument | null) {
  const manual = record === null ? [] : listCandidates(record).filter(({ isManual }) => isManual)
  return [...manual, ...(found ?? []).filter(({ gameId }) => !manual.some((other) => other.gameId.equals(gameId)))]
}

/** Decides by the result of the matcher. A conflict that a person reopened waits for a person. */
function decide(
  { source, syncNew }: JudgeInput,
  { entry: { record, fields }, found, sure, isUnlike }: MatchedEntry,
): Verdict {
  const isReopened = record?.reopenedBy !== undefined
  const match = isReopened ? null : sure
  const isNew = !isReopened && match === null && isUnlike && syncNew === 'games'
  const isAutomatic = match !== null || isNew
  const change: Partial<ConflictDocument> = {
    ...fields,
    ...found,
    ...(found.candidates && { candidates: withManual(found.candidates, record) }),
    status: 'pending',
    failure: null,
    decision: match ? 'match' : isNew ? 'skip' : null,
    decisionId: isAutomatic ? new ObjectId() : null,
    decidedBy: null,
    isAutomatic,
    isRefresh: false,
    ...toWinner(source, match),
  }
  const outcome = match ? 'matched' : isNew ? 'new' : 'waiting'
  return { outcome, gameId: match?.gameId ?? null, reason: found.reason, message: null, change }
}

/** Judges entries of different ids. @returns what becomes of each, by its id */
export async function judgeEntries(
  deps: Pick<ConflictsDeps, 'db'>,
  input: JudgeInput,
  entries: readonly StandingEntry[],
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>()
  const open: StandingEntry[] = []
  for (const entry of entries) {
    const verdict = settle(input, entry)
    if (verdict === null) open.push(entry)
    else verdicts.set(entry.externalId, verdict)
  }
  const matched = open.length === 0 ? [] : await matchEntries(deps, input, open)
  for (const found of matched) verdicts.set(found.entry.externalId, decide(input, found))
  return verdicts
}
