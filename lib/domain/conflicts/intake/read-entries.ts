import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { describeIssue } from '#lib/base/values/describe-issue'
import { distinctNames } from '#lib/base/values/distinct-names'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { type EntriesBody, EntriesOfGame, Entry, type EntryResult } from '#lib/contract/entries'
import { ID_FORMS, SOURCE_TITLES, type Source } from '#lib/contract/sources'
import type { StoredEntry, StoredSubject } from '#lib/infrastructure/db/collections/conflicts'

type EntrySubject = Omit<StoredSubject, 'platformIds'>

/** A well-formed entry of a list, as its record stores it. */
export interface HandedEntry {
  /** The entry; for `hltb` the game. */
  externalId: string
  /** Differs when the entry says something else. */
  entryHash: string
  /** Null for `hltb`, where the game names the conflict. */
  subject: EntrySubject | null
  /** The source's ids of the platforms. */
  platforms: readonly (string | number)[]
  /** Of `hltb` alone. */
  entries: readonly StoredEntry[]
}

type Parsed<T> = { data: T } | { message: string }

/** Leaves out empty texts, which parsers send for unknown facts. */
function withoutBlank(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))
}

function parse<S extends z.ZodType>(schema: S, sent: unknown): Parsed<z.output<S>> {
  const { data, error } = schema.safeParse(withoutBlank(sent), { error: describeIssue })
  if (error === undefined) return { data }
  return { message: error.issues[0]?.message ?? error.message }
}

const checkId = (source: Source, id: string) =>
  ID_FORMS[source].test(id) ? undefined : `${id} is no id of ${SOURCE_TITLES[source]}`

const toHash = (entry: object) => createHash('sha256').update(JSON.stringify(entry)).digest('base64url')

function readEntry(source: Source, sent: unknown): HandedEntry | string {
  const parsed = parse(Entry, sent)
  if ('message' in parsed) return parsed.message
  const { id, platforms = [], alternativeNames, developers, publishers, genres, ...facts } = parsed.data
  const subject = {
    ...withoutEmpty(facts),
    name: facts.name,
    alternativeNames: distinctNames(alternativeNames ?? [], [facts.name]),
    developers: distinctNames(developers ?? []),
    publishers: distinctNames(publishers ?? []),
    genres: distinctNames(genres ?? []),
  }
  const handed = { externalId: id, entryHash: toHash(parsed.data), subject, platforms, entries: [] }
  return checkId(source, id) ?? handed
}

function readGame(sent: unknown): HandedEntry | string {
  const parsed = parse(EntriesOfGame, sent)
  if ('message' in parsed) return parsed.message
  const { gameId, entries } = parsed.data
  const wrong = entries.map(({ id }) => checkId('hltb', id)).find((message) => message !== undefined)
  const byId = new Map(entries.map(({ id, name, ...facts }) => [id, { id, name, ...withoutEmpty(facts) }]))
  const handed = { externalId: gameId, entryHash: toHash(entries), subject: null, platforms: [] }
  return wrong ?? { ...handed, entries: [...byId.values()] }
}

const refuse = (id: string | null, message: string): EntryResult => ({
  id,
  outcome: 'refused',
  gameId: null,
  reason: null,
  message,
})

function readId(sent: unknown, field: 'id' | 'gameId'): string | null {
  const id: unknown =
    typeof sent === 'object' && sent !== null ? Object.entries(sent).find(([key]) => key === field)?.[1] : null
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}

/** Reads each member of a list by itself: an entry, or why it is refused. */
export function readEntries(list: EntriesBody): (HandedEntry | EntryResult)[] {
  const isOfGames = list.source === 'hltb'
  return (isOfGames ? list.games : list.entries).map((sent) => {
    const read = isOfGames ? readGame(sent) : readEntry(list.source, sent)
    return typeof read === 'string' ? refuse(readId(sent, isOfGames ? 'gameId' : 'id'), read) : read
  })
}
