import { ObjectId } from 'mongodb'
import { GameCompany } from '../contract/catalogue.ts'
import {
  type CandidateGame,
  type ConflictCandidate,
  type ConflictEntry,
  type ConflictItem,
  ConflictReason,
  type ConflictRow,
  type ConflictSubject,
} from '../contract/conflicts.ts'
import type { Source } from '../contract/sources.ts'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../db/collections/conflicts.ts'
import type { GameDocument } from '../db/collections/games.ts'
import { toContract } from '../db/to-contract.ts'
import { listLinkedIds } from '../games/linked-ids.ts'
import { stringsIn } from '../names/normalise-name.ts'
import { isAboutEntries, toConflictState } from './states.ts'
import {
  listCandidates,
  listEntries,
  numberOrNull,
  readEntryScore,
  readScores,
  textOr,
  textOrNull,
  toGameId,
} from './stored-values.ts'

export const NAMED_GAME_FIELDS = { name: 1, slug: 1 } as const
export type NamedGame = Pick<GameDocument, '_id' | keyof typeof NAMED_GAME_FIELDS>

/** The fields that an item tells of the games it names. */
export const ITEM_GAME_FIELDS = {
  ...NAMED_GAME_FIELDS,
  cover: 1,
  type: 1,
  summary: 1,
  alternative_names: 1,
  companies: 1,
  first_release: 1,
  platformIds: 1,
  isCustom: 1,
  igdb: 1,
  vndb: 1,
  retroachievements: 1,
} as const
export type ItemGame = Pick<GameDocument, '_id' | keyof typeof ITEM_GAME_FIELDS>

const toDirection = (source: Source) => (isAboutEntries(source) ? 'entries' : 'games')

const readReason = ({ reason }: ConflictDocument) => ConflictReason.safeParse(reason).data ?? null

const hexIdsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((id) => id instanceof ObjectId).map((id) => id.toHexString()) : []

/** The game that a match was decided for, or that a skip created. */
export function findWinnerId(record: ConflictDocument): ObjectId | null {
  const state = toConflictState(record)
  const isMatch = state === 'queued-match' || state === 'matched'
  if (isMatch && isAboutEntries(record.source)) return toGameId(record)
  return isMatch || state === 'new-game' ? (record.winner ?? null) : null
}

/** A candidate by the names of its game as stored now; a deleted one by the names that the record keeps. */
function identify({ gameId, name, slug }: StoredCandidate, games: ReadonlyMap<string, NamedGame>) {
  const hex = gameId.toHexString()
  const game = games.get(hex)
  return { gameId: hex, name: textOr(game?.name, textOr(name, '')), slug: textOr(game?.slug, textOr(slug, '')) }
}

/** A conflict as a list shows it. */
export function toConflictRow(record: ConflictDocument, games: ReadonlyMap<string, NamedGame>): ConflictRow {
  const { source, externalId } = record
  const winner = games.get(findWinnerId(record)?.toHexString() ?? '')

  return {
    source,
    direction: toDirection(source),
    externalId,
    externalName: textOr(record.externalName, externalId),
    reason: readReason(record),
    state: toConflictState(record),
    candidates: listCandidates(record).map((stored) => ({
      ...identify(stored, games),
      score: readScores(stored).score,
    })),
    entries: listEntries(record).map(({ id, name }) => ({ id, name: textOr(name, id) })),
    winners: winner === undefined ? [] : [{ _id: winner._id.toHexString(), name: winner.name, slug: winner.slug }],
  }
}

function toCandidateGame(game: ItemGame, { source, externalId }: ConflictDocument): CandidateGame {
  const companies = Array.isArray(game.companies) ? game.companies : []
  const linked = listLinkedIds(game, source)

  return {
    cover: textOrNull(game.cover),
    type: textOrNull(game.type),
    summary: textOrNull(game.summary),
    alternativeNames: stringsIn(game.alternative_names),
    companies: companies
      .filter((company) => typeof company?.name === 'string')
      .map((company) => toContract(GameCompany, company)),
    firstRelease: numberOrNull(game.first_release),
    platformIds: hexIdsIn(game.platformIds),
    isCustom: game.isCustom === true,
    linkedExternalId: linked.find((id) => id === externalId) ?? linked[0] ?? null,
  }
}

function toCandidate(
  stored: StoredCandidate,
  games: ReadonlyMap<string, ItemGame>,
  record: ConflictDocument,
): ConflictCandidate {
  const game = games.get(stored.gameId.toHexString())

  return {
    ...identify(stored, games),
    ...readScores(stored),
    isManual: stored.isManual === true,
    dateSignal: stored.dateSignal ?? 'unknown',
    descriptionSignal: stored.descriptionSignal ?? 'unknown',
    hasCompanyMismatch: stored.hasCompanyMismatch === true,
    matchedTitle: textOrNull(stored.matchedTitle),
    game: game === undefined ? null : toCandidateGame(game, record),
  }
}

function toEntry(entry: StoredEntry): ConflictEntry {
  const { id, name, releaseYear, platforms, cover, url, details } = entry
  return {
    id,
    name: textOr(name, id),
    score: readEntryScore(entry),
    releaseYear: numberOrNull(releaseYear),
    platforms: stringsIn(platforms),
    cover: textOrNull(cover),
    url: textOrNull(url),
    details: stringsIn(details),
  }
}

function toSubject({ externalData, externalName }: ConflictDocument): ConflictSubject | null {
  if (typeof externalData !== 'object' || externalData === null) return null

  const name = textOr(externalData.name, textOr(externalName, ''))
  return {
    name,
    originalName: textOr(externalData.originalName, name),
    alternativeNames: stringsIn(externalData.alternativeNames),
    description: textOr(externalData.description, ''),
    released: textOrNull(externalData.released),
    developers: stringsIn(externalData.developers),
    platformIds: hexIdsIn(externalData.platformIds),
    lengthMinutes: numberOrNull(externalData.lengthMinutes),
    cover: textOrNull(externalData.cover),
    isExplicitCover: externalData.isExplicitCover === true,
    url: textOrNull(externalData.url),
  }
}

/** Unix seconds as yyyy-mm-dd. */
function toDay(seconds: number | null): string | null {
  const date = new Date((seconds ?? Number.NaN) * 1_000)
  return Number.isNaN(date.getTime()) ? null : (date.toISOString().split('T')[0] ?? null)
}

function gameToSubject(game: ItemGame, frontUrl: string): ConflictSubject {
  const companies = (game.companies ?? []).filter((company) => typeof company?.name === 'string')
  const developers = companies.filter(({ developer }) => developer === true)

  return {
    name: game.name,
    originalName: game.name,
    alternativeNames: stringsIn(game.alternative_names),
    description: textOr(game.summary, ''),
    released: toDay(numberOrNull(game.first_release)),
    developers: (developers.length > 0 ? developers : companies).map(({ name }) => name),
    platformIds: hexIdsIn(game.platformIds),
    lengthMinutes: null,
    cover: textOrNull(game.cover),
    isExplicitCover: false,
    url: `${frontUrl}/games/${game.slug}`,
  }
}

interface ConflictContext {
  /** The games that the conflict names, by id. */
  games: ReadonlyMap<string, ItemGame>
  remaining: number
  nextExternalId: string | null
  frontUrl: string
}

/** A conflict as it is decided on. */
export function toConflictItem(
  record: ConflictDocument,
  { games, frontUrl, ...around }: ConflictContext,
): ConflictItem {
  const { _id, source, externalId, decidedBy, failure } = record
  const subjectGame = games.get(externalId)
  const subjectOfEntries = subjectGame === undefined ? null : gameToSubject(subjectGame, frontUrl)

  return {
    id: String(_id),
    source,
    direction: toDirection(source),
    isMultiMatch: false,
    externalId,
    reason: readReason(record),
    state: toConflictState(record),
    ...around,
    decidedBy: textOrNull(decidedBy?.userName),
    failure: failure?.at instanceof Date ? { message: failure.message, at: failure.at.toISOString() } : null,
    subject: isAboutEntries(source) ? subjectOfEntries : toSubject(record),
    candidates: listCandidates(record).map((stored) => toCandidate(stored, games, record)),
    entries: listEntries(record).map(toEntry),
  }
}
