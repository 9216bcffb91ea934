import type { ObjectId } from 'mongodb'
import { GameCompany } from '../../contract/catalogue.ts'
import {
  type CandidateGame,
  type ConflictEntry,
  type ConflictItem,
  ConflictReason,
  type ConflictRow,
  type ConflictSubject,
} from '../../contract/conflicts.ts'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../../infrastructure/db/collections/conflicts.ts'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import { listLinkedIds } from '../catalogue/games/linked-ids.ts'
import { isAboutEntries, toConflictState } from './states.ts'
import {
  CandidateFacts,
  EntryFacts,
  GameFacts,
  listCandidates,
  listEntries,
  readSubject,
  SubjectFacts,
  textOr,
  textOrNull,
  toGameId,
} from './stored-values.ts'

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

const listCompanies = ({ companies }: ShownGame) =>
  Array.isArray(companies) ? companies.filter((company) => typeof company?.name === 'string') : []

function toCandidateGame(game: ShownGame, { source, externalId }: ConflictDocument): CandidateGame {
  const linked = listLinkedIds(game, source)
  return {
    ...GameFacts.parse({ ...game, alternativeNames: game.alternative_names, firstRelease: game.first_release }),
    companies: listCompanies(game).map((company) => toContract(GameCompany, company)),
    linkedExternalId: linked.find((id) => id === externalId) ?? linked[0] ?? null,
  }
}

function toCandidate(stored: StoredCandidate, games: ReadonlyMap<string, ShownGame>, record: ConflictDocument) {
  const game = games.get(stored.gameId.toHexString())
  return {
    ...identify(stored, games),
    ...CandidateFacts.parse(stored),
    game: game === undefined ? null : toCandidateGame(game, record),
  }
}

function toEntry(entry: StoredEntry): ConflictEntry {
  const { score, ...facts } = EntryFacts.parse(entry)
  return {
    id: entry.id,
    name: textOr(entry.name, entry.id),
    score: score === null ? null : Math.round(score),
    ...facts,
  }
}

function toDay(seconds: unknown): string | null {
  const date = new Date(typeof seconds === 'number' ? seconds * 1_000 : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : (date.toISOString().split('T')[0] ?? null)
}

function gameToSubject(game: ShownGame, frontUrl: string): ConflictSubject {
  const companies = listCompanies(game)
  const developers = companies.filter(({ developer }) => developer === true)
  return SubjectFacts.parse({
    ...game,
    originalName: game.name,
    alternativeNames: game.alternative_names,
    description: game.summary,
    released: toDay(game.first_release),
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
  const subjectGame = games.get(externalId)
  const subjectOfEntries = subjectGame === undefined ? null : gameToSubject(subjectGame, frontUrl)
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
