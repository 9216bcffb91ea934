import type { ObjectId } from 'mongodb'
import { toIsoDay } from '../../base/values/calendar-day.ts'
import {
  CandidateGame,
  ConflictCandidate,
  ConflictEntry,
  type ConflictItem,
  ConflictReason,
  type ConflictRow,
  ConflictSubject,
} from '../../contract/conflicts.ts'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../../infrastructure/db/collections/conflicts.ts'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import { readByContract } from '../../infrastructure/db/to-contract.ts'
import { listLinkedIds } from '../catalogue/games/linked-ids.ts'
import { isAboutEntries, toConflictState } from './states.ts'
import { listCandidates, listEntries, readSubject, textOr, textOrNull, toGameId } from './stored-values.ts'

export const NAMED_GAME_FIELDS = { name: 1, slug: 1 } as const
export type NamedGame = Pick<GameDocument, '_id' | keyof typeof NAMED_GAME_FIELDS>

export const UNSHOWN_GAME_FIELDS = { matchKeys: 0, searchWords: 0, screenshots: 0, artworks: 0 } as const
export type ShownGame = Omit<GameDocument, keyof typeof UNSHOWN_GAME_FIELDS>

/** Finds the game that a match chose or a skip created. */
export function findWinnerId(record: ConflictDocument): ObjectId | null {
  const state = toConflictState(record)
  const isMatch = state === 'queued-match' || state === 'matched'
  if (isMatch && isAboutEntries(record.source)) return toGameId(record)
  return isMatch || state === 'new-game' ? (record.winner ?? null) : null
}

/** Names a candidate by its stored game, or by the names in the record when the game is deleted. */
function identify({ gameId, name, slug, score }: StoredCandidate, games: ReadonlyMap<string, NamedGame>) {
  const hex = gameId.toHexString()
  const game = games.get(hex)
  return {
    gameId: hex,
    name: textOr(game?.name, textOr(name, '')),
    slug: textOr(game?.slug, textOr(slug, '')),
    score: Number.isFinite(score) ? Math.round(score) : 0,
  }
}

const toSummary = (record: ConflictDocument) =>
  ({
    source: record.source,
    direction: isAboutEntries(record.source) ? 'entries' : 'games',
    externalId: record.externalId,
    reason: ConflictReason.safeParse(record.reason).data ?? null,
    state: toConflictState(record),
    isAutomatic: record.isAutomatic === true,
  }) as const

export function toConflictRow(record: ConflictDocument, games: ReadonlyMap<string, NamedGame>): ConflictRow {
  const winner = games.get(findWinnerId(record)?.toHexString() ?? '')
  return {
    ...toSummary(record),
    externalName: textOr(record.externalName, record.externalId),
    candidates: listCandidates(record).map((stored) => identify(stored, games)),
    entries: listEntries(record).map(({ id, name }) => ({ id, name: textOr(name, id) })),
    winners: winner === undefined ? [] : [{ _id: winner._id.toHexString(), name: winner.name, slug: winner.slug }],
  }
}

/** The last second that a date can have. */
const MAX_SECONDS = 8.64e12

const ReadGame = CandidateGame.omit({ linkedExternalId: true }).extend({
  firstRelease: CandidateGame.shape.firstRelease.refine((seconds) => Math.abs(seconds ?? 0) <= MAX_SECONDS),
})

const readGame = (game: ShownGame) =>
  readByContract(ReadGame, { ...game, alternativeNames: game.alternative_names, firstRelease: game.first_release })

function toCandidateGame(game: ShownGame, { source, externalId }: ConflictDocument): CandidateGame {
  const linked = listLinkedIds(game, source)
  return { ...readGame(game), linkedExternalId: linked.find((id) => id === externalId) ?? linked[0] ?? null }
}

const { dateSignal, descriptionSignal, breakdown } = ConflictCandidate.shape

const ReadCandidate = ConflictCandidate.omit({ game: true }).extend({
  dateSignal: dateSignal.catch('unknown'),
  descriptionSignal: descriptionSignal.catch('unknown'),
})

/** Rounds points to one decimal; -0 becomes 0. */
function roundPoints(points: ConflictCandidate['breakdown']) {
  const rounded = Object.entries(points).map(([part, value]) => [part, Math.round(value * 10) / 10 || 0])
  return readByContract(breakdown, Object.fromEntries(rounded))
}

function toCandidate(stored: StoredCandidate, games: ReadonlyMap<string, ShownGame>, record: ConflictDocument) {
  const game = games.get(stored.gameId.toHexString())
  const facts = readByContract(ReadCandidate, stored)
  return {
    ...facts,
    ...identify(stored, games),
    breakdown: roundPoints(facts.breakdown),
    game: game === undefined ? null : toCandidateGame(game, record),
  }
}

function toEntry(stored: StoredEntry): ConflictEntry {
  const facts = readByContract(ConflictEntry, stored)
  const { id, name, score } = facts
  return { ...facts, name: name || id, score: score === null ? null : Math.round(score) }
}

function gameToSubject(game: ShownGame, frontUrl: string): ConflictSubject {
  const { companies, firstRelease, ...facts } = readGame(game)
  const developers = companies.filter(({ developer }) => developer)
  return readByContract(ConflictSubject, {
    ...facts,
    name: game.name,
    originalName: game.name,
    description: facts.summary,
    released: firstRelease === null ? null : toIsoDay(firstRelease),
    developers: (developers.length > 0 ? developers : companies).map(({ name }) => name),
    url: `${frontUrl}/games/${game.slug}`,
  })
}

export function toConflictItem(
  record: ConflictDocument,
  games: ReadonlyMap<string, ShownGame>,
  { frontUrl, ...around }: Pick<ConflictItem, 'remaining' | 'nextExternalId'> & { frontUrl: string },
): ConflictItem {
  const { _id, source, externalId, externalData, decidedBy, failure } = record
  const game = games.get(externalId)
  const subjectOfEntries = game === undefined ? null : gameToSubject(game, frontUrl)
  const subjectOfGames = typeof externalData === 'object' && externalData !== null ? readSubject(record) : null

  return {
    id: String(_id),
    ...toSummary(record),
    isMultiMatch: false,
    ...around,
    decidedBy: textOrNull(decidedBy?.userName),
    failure: failure?.at instanceof Date ? { message: failure.message, at: failure.at.toISOString() } : null,
    subject: isAboutEntries(source) ? subjectOfEntries : subjectOfGames,
    candidates: listCandidates(record).map((stored) => toCandidate(stored, games, record)),
    entries: listEntries(record).map(toEntry),
  }
}
