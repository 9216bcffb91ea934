import { ObjectId } from 'mongodb'
import type { EntryResult, SyncNew } from '#lib/contract/entries'
import { MESSAGES } from '#lib/contract/messages'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { PlatformFinder } from '../../catalogue/platforms/find-platforms.ts'
import type { ConflictsDeps } from '../deps.ts'
import { isAboutEntries } from '../states.ts'
import { listCandidates } from '../stored-values.ts'
import { findStandingOutcome, type Target } from './find-standing-outcome.ts'
import type { Standing } from './load-standings.ts'
import { type MatchedEntry, matchWithEntries, matchWithGames } from './match-entries.ts'
import type { HandedEntry } from './read-entries.ts'

export interface JudgeInput {
  source: Source
  syncNew: SyncNew
  toPlatformIds: PlatformFinder
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

/** Puts the candidates that an admin found by hand before those that the matcher finds. */
function withManual(found: ConflictDocument['candidates'], record: ConflictDocument | null) {
  const manual = record === null ? [] : listCandidates(record).filter(({ isManual }) => isManual)
  return [...manual, ...(found ?? []).filter(({ gameId }) => !manual.some((other) => other.gameId.equals(gameId)))]
}

/** Decides by what the matcher says. What a person reopened is left to a person. */
function decide(
  { source, syncNew }: JudgeInput,
  { fields: matched, sure, isUnlike }: MatchedEntry,
  record: ConflictDocument | null,
): Verdict {
  const isReopened = record?.reopenedBy !== undefined
  const fields = matched.candidates ? { ...matched, candidates: withManual(matched.candidates, record) } : matched
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

/** An entry of a list with what is stored about it. */
export interface StandingEntry {
  entry: HandedEntry
  standing: Standing
}

/** Finds what becomes of an entry without the matcher; null when the matcher decides. */
function settle({ source, syncNew, toPlatformIds }: JudgeInput, { entry, standing }: StandingEntry): Verdict | null {
  if (isAboutEntries(source) && standing.game === null) {
    return { ...NOTHING, outcome: 'refused', message: MESSAGES.gameNotFound }
  }
  const found = findStandingOutcome({ source, ...entry }, standing, syncNew)
  if (found?.outcome !== 'refreshed') return found && { ...NOTHING, ...found }
  const queued = { ...QUEUED, isRefresh: true, decision: 'match', decisionId: new ObjectId() } as const
  const change = { ...toFields(entry, standing, toPlatformIds), ...queued, ...toWinner(source, found.target) }
  return { ...NOTHING, outcome: 'refreshed', gameId: found.target.gameId, change }
}

async function match(
  deps: Pick<ConflictsDeps, 'db'>,
  { source, toPlatformIds }: JudgeInput,
  entries: readonly StandingEntry[],
): Promise<MatchedEntry[]> {
  if (!isAboutEntries(source)) {
    const named = entries.map(({ entry, standing }) => ({
      externalId: entry.externalId,
      ...toFields(entry, standing, toPlatformIds),
    }))
    return await matchWithGames(deps, source, named)
  }
  const matched: MatchedEntry[] = []
  for (const { entry, standing } of entries) {
    if (standing.game !== null) {
      matched.push(await matchWithEntries(standing.game, source, entry.entries, toPlatformIds))
    }
  }
  return matched
}

/** Finds out what becomes of some entries. Writes nothing. */
export async function judgeEntries(
  deps: Pick<ConflictsDeps, 'db'>,
  input: JudgeInput,
  entries: readonly StandingEntry[],
): Promise<Verdict[]> {
  const settled = entries.map((each) => settle(input, each))
  const open = entries.filter((_, index) => settled[index] === null)
  const matched = open.length === 0 ? [] : await match(deps, input, open)
  return entries.map((each, index) => {
    const verdict = settled[index]
    if (verdict) return verdict
    const found = matched[open.indexOf(each)]
    if (found === undefined) throw new Error('the matcher answers each entry')
    const { change, ...judged } = decide(input, found, each.standing.record)
    return { ...judged, change: { ...toFields(each.entry, each.standing, input.toPlatformIds), ...change } }
  })
}
