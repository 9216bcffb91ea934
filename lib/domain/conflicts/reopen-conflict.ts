import type { ClientSession } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ConflictParams, ConflictSummary } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import type { Actor } from '../auth/actor.ts'
import { unlinkEntry } from '../catalogue/games/unlink-entry.ts'
import { findMatches } from '../matching/find-matches.ts'
import { MATCH_FIELDS, type MatchedGame } from '../matching/match.ts'
import { prepareSubject } from '../matching/prepare-subject.ts'
import { findReviewReason } from '../matching/review-reason.ts'
import { scoreMatch } from '../matching/score.ts'
import { changeConflict, conflictNotFound } from './change-conflict.ts'
import type { ConflictsDeps } from './deps.ts'
import { CANDIDATE_OPTIONS, toMatchSubject, toStoredCandidate } from './intake/match-entries.ts'
import { isAboutEntries, UNDECIDED } from './states.ts'
import { summarizeConflicts } from './summarize-conflicts.ts'
import { findWinnerId } from './to-wire.ts'
import { chosenEntryId } from './writer/find-decisions.ts'

const isAutomaticMatch = ({ status, isAutomatic }: ConflictDocument) => status === 'resolved' && isAutomatic === true

function assertReopenable(record: ConflictDocument): void {
  if (record.status !== 'absent' && !isAutomaticMatch(record))
    throw new DomainError('CONFLICT', MESSAGES.conflictNotSkipped)
}

/** Finds the candidates afresh from the entry as it was last read: the game that it was closed with first, then the best. */
async function rematch({ db }: ConflictsDeps, closed: ConflictDocument) {
  const subject = toMatchSubject(closed)
  const [matches, winner] = await Promise.all([
    findMatches({ db }, subject, CANDIDATE_OPTIONS),
    closed.winner && db.games.findOne<MatchedGame>({ _id: closed.winner }, { projection: MATCH_FIELDS }),
  ])
  const first = winner ? [scoreMatch(prepareSubject(subject), winner)] : []
  const others = matches.filter(({ gameId }) => !closed.winner?.equals(gameId))
  return { candidates: [...first, ...others].map(toStoredCandidate), reason: findReviewReason(matches) }
}

/** Takes an automatic match back. The game keeps the fields that it was given, because what they were is not stored. */
async function unlinkMatch(deps: ConflictsDeps, before: ConflictDocument, session: ClientSession) {
  const gameId = isAutomaticMatch(before) ? findWinnerId(before) : null
  if (gameId === null) return undefined
  await unlinkEntry(deps, { gameId, source: before.source, id: chosenEntryId(before), session })
  await deps.failpoint('conflict:unlinked')
  return { gameId: gameId.toHexString(), note: MESSAGES.parsedFieldsStay }
}

/**
 * Puts a skipped conflict or an automatic match back to review, with candidates matched afresh. A game that the skip
 * created stays, and is the first of them; the game of a match loses the entry.
 * @throws DomainError INVALID where the source cannot be matched again, NOT_FOUND, CONFLICT
 */
export async function reopenConflict(
  deps: ConflictsDeps,
  actor: Actor,
  conflict: ConflictParams,
): Promise<ConflictSummary> {
  const { source, externalId } = conflict
  const { _id: userId, userName } = actor.user
  // A stored entry finds games again. Entries of a source are found by its parser only.
  const canRematch = !isAboutEntries(source)
  const closed = await deps.db.conflicts.findOne({ source, externalId })
  if (!canRematch && !(closed && isAutomaticMatch(closed))) {
    throw new DomainError('INVALID', MESSAGES.rematchImpossible)
  }
  if (closed === null) throw conflictNotFound()
  assertReopenable(closed)
  await changeConflict(deps, actor, conflict, {
    fields: {
      ...(canRematch && (await rematch(deps, closed))),
      ...UNDECIDED,
      winner: null,
      winnerEntryId: null,
      decidedBy: null,
      isAutomatic: false,
      reopenedBy: { userId, userName },
      failure: null,
    },
    action: 'conflict-reopened',
    step: 'conflict:reopened',
    state: 'waiting',
    assertAllowed: assertReopenable,
    alsoWrite: (before, session) => unlinkMatch(deps, before, session),
  })
  return await summarizeConflicts(deps, { source })
}
