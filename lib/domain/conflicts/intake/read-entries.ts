import { createHash } from 'node:crypto'
import { z } from 'zod'
import { DomainError } from '#lib/base/errors'
import { describeIssue } from '#lib/base/values/describe-issue'
import { distinctNames } from '#lib/base/values/distinct-names'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { type EntriesBody, EntriesOfGame, Entry, type EntryResult } from '#lib/contract/entries'
import { ID_FORMS, SOURCE_TITLES, type Source } from '#lib/contract/sources'
import type { StoredEntry, StoredSubject } from '#lib/infrastructure/db/collections/conflicts'

export interface HandedEntry {
  /** The id of the entry; for `hltb` the id of the game. */
  externalId: string
  /** A hash of the facts of the entry. */
  entryHash: string
  /** Null for `hltb`, where the game names the conflict. */
  subject: Omit<StoredSubject, 'platformIds'> | null
  /** The source's ids of the platforms. */
  platforms: readonly (string | number)[]
  /** The entries of the game; empty for all sources but `hltb`. */
  entries: StoredEntry[]
}

/** Leaves out empty texts, which parsers send for unknown facts. */
function withoutBlank(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))
}

function parse<S extends z.ZodType>(schema: S, sent: unknown, whole: string): z.output<S> {
  const { data, error } = schema.safeParse(withoutBlank(sent), { error: (issue) => describeIssue(issue, whole) })
  if (error !== undefined) throw new DomainError('INVALID', error.issues[0]?.message ?? error.message)
  return data
}

function assertId(source: Source, id: string): void {
  if (!ID_FORMS[source].test(id)) throw new DomainError('INVALID', `${id} is no id of ${SOURCE_TITLES[source]}`)
}

const toHash = (entry: object) => createHash('sha256').update(JSON.stringify(entry)).digest('base64url')

function readEntry(source: Source, sent: unknown): HandedEntry {
  const entry = parse(Entry, sent, 'An entry')
  const { id, platforms = [], alternativeNames, developers, publishers, genres, ...facts } = entry
  assertId(source, id)
  const subject = {
    ...withoutEmpty(facts),
    name: facts.name,
    alternativeNames: distinctNames(alternativeNames ?? [], [facts.name]),
    developers: distinctNames(developers ?? []),
    publishers: distinctNames(publishers ?? []),
    genres: distinctNames(genres ?? []),
  }
  return { externalId: id, entryHash: toHash(entry), subject, platforms, entries: [] }
}

function readGame(sent: unknown): HandedEntry {
  const { gameId, entries } = parse(EntriesOfGame, sent, 'A game')
  for (const { id } of entries) assertId('hltb', id)
  const byId = new Map(entries.map(({ id, name, ...facts }) => [id, { id, name, ...withoutEmpty(facts) }]))
  return { externalId: gameId, entryHash: toHash(entries), subject: null, platforms: [], entries: [...byId.values()] }
}

const SentId = z.union([z.string(), z.number()]).transform(String)

function refuse(sent: unknown, idField: 'id' | 'gameId', message: string): EntryResult {
  const id = z.object({ [idField]: SentId }).safeParse(sent).data?.[idField] ?? null
  return { id, outcome: 'refused', gameId: null, reason: null, message }
}

/** Reads each member of a list by itself. A malformed member becomes a refused result. */
export function readEntries(list: EntriesBody): (HandedEntry | EntryResult)[] {
  const isOfGames = list.source === 'hltb'
  return (isOfGames ? list.games : list.entries).map((sent) => {
    try {
      return isOfGames ? readGame(sent) : readEntry(list.source, sent)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return refuse(sent, isOfGames ? 'gameId' : 'id', error.message)
    }
  })
}
