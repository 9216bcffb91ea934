import { ObjectId } from 'mongodb'
import type { EntryResult, SyncNew } from '#lib/contract/entries'
import { MESSAGES } from '#lib/contract/messages'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { ConflictsDeps } from '../deps.ts'
import { isAboutEntries } from '../states.ts'
import type { PlatformFinder } from './find-platforms.ts'
import { findStandingOutcome, type Target } from './find-standing-outcome.ts'
import type { Standing } from './load-standings.ts'
import { type MatchedEntry, matchWithEntries, matchWithGames } from './match-entry.ts'
import type { HandedEntry } from './read-entries.ts'

export interface JudgeInput {
  source: Source
  syncNew: SyncNew
  toPlatformIds: PlatformFinder
  signal: AbortSignal
}

export interface Verdict extends Pick<EntryResult, 'outcome' | 'reason' | 'message'> {
  gameId: ObjectId | null
  /** The fields that are written; null where nothing is. */
  change: Partial<ConflictDocument> | null
}

const NOTHING = { gameId: null, reason: null, message: null, change: null } as const
const QUEUED = { status: 'pending', failure: null } as const
const NO_WINNER = { winner: null, winnerEntryId: null } as const

const toWinner = (source: Source, { gameId, entryId }: Target) =>
  isAboutEntries(source) ? { winner: null, winnerEntryId: entryId } : { winner: gameId, winnerEntryId: null }

function toFields({ subject, entries, platforms, ...handed }: HandedEntry, { game }: Standing, find: PlatformFinder) {
  const { entryHash } = handed
  if (subject === null) return { entryHash, externalName: game?.name ?? '', entries: [...entries] }
  return { entryHash, externalName: subject.name, externalData: { ...subject, platformIds: find(platforms) } }
}

/** Decides by what the matcher says. What a person reopened is left to a person. */
function decide(
  { source, syncNew }: JudgeInput,
  { fields, sure, isUnlike }: MatchedEntry,
  isReopened: boolean,
): Verdict {
  const facts = { reason: fields.reason, message: null }
  const automatic = { ...QUEUED, decisionId: new ObjectId(), decidedBy: null, isAutomatic: true, isRefresh: false }
  if (sure !== null && !isReopened) {
    const change = { ...fields, ...automatic, decision: 'match', ...toWinner(source, sure) } as const
    return { outcome: 'matched', gameId: sure.gameId, ...facts, change }
  }
  if (isUnlike && !isReopened && syncNew === 'games') {
    const change = { ...fields, ...automatic, decision: 'skip', ...NO_WINNER } as const
    return { outcome: 'new', gameId: null, ...facts, change }
  }
  const undecided = { decision: null, decisionId: null, decidedBy: null, isAutomatic: false, isRefresh: false } as const
  return { outcome: 'waiting', gameId: null, ...facts, change: { ...fields, ...QUEUED, ...undecided, ...NO_WINNER } }
}

/** Finds out what becomes of an entry. Writes nothing. */
export async function judgeEntry(
  deps: Pick<ConflictsDeps, 'db' | 'intake'>,
  input: JudgeInput,
  entry: HandedEntry,
  standing: Standing,
): Promise<Verdict> {
  const { source, syncNew, toPlatformIds, signal } = input
  const { game, record } = standing
  if (isAboutEntries(source) && game === null) {
    return { ...NOTHING, outcome: 'refused', message: MESSAGES.gameNotFound }
  }
  const fields = toFields(entry, standing, toPlatformIds)
  const found = findStandingOutcome({ source, ...entry }, standing, syncNew)
  if (found?.outcome === 'refreshed') {
    const queued = { ...QUEUED, isRefresh: true, decision: 'match', decisionId: new ObjectId() } as const
    const change = { ...fields, ...queued, ...toWinner(source, found.target) }
    return { ...NOTHING, outcome: 'refreshed', gameId: found.target.gameId, change }
  }
  if (found !== null) return { ...NOTHING, ...found }
  const matched = await deps.intake.matches.run(signal, () =>
    isAboutEntries(source) && game !== null
      ? matchWithEntries(game, source, entry.entries, toPlatformIds)
      : matchWithGames(deps, { source, externalId: entry.externalId, ...fields }),
  )
  const { change, ...verdict } = decide(input, matched, record?.reopenedBy !== undefined)
  return { ...verdict, change: { ...fields, ...change } }
}
