import { z } from 'zod'
import { ConflictReason } from './conflicts.ts'
import { Id } from './ids.ts'
import * as limits from './limits.ts'
import { MESSAGES } from './messages.ts'
import { Link, longText, nameText, text } from './texts/text.ts'

const name = nameText(limits.ENTRY_NAME_MAX)
const sourceId = z.union([nameText(limits.EXTERNAL_ID_MAX), z.int().min(0)], MESSAGES.sourceIdForm)
const entryId = sourceId.transform(String)

/** Accepts null as absent, because parsers send it for unknown facts. */
const nullable = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)
const list = <S extends z.ZodType>(row: S) => nullable(z.array(row).max(limits.ENTRY_LIST_MAX))

const isCalendarDate = (written: string) => {
  const date = new Date(written)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written)
}
const PARTIAL_DATE_MAX = 10
const partialDate = text(PARTIAL_DATE_MAX, MESSAGES.partialDate)
  .regex(/^\d{4}(-\d{2}){0,2}$/, { error: MESSAGES.partialDate, abort: true })
  .refine(isCalendarDate, MESSAGES.partialDate)

/** An entry of a source as a parser read it. `released` is yyyy, yyyy-mm or yyyy-mm-dd; `platforms` are the source's own ids. */
export const Entry = z.object({
  id: entryId,
  name,
  originalName: nullable(name),
  alternativeNames: list(name),
  description: nullable(longText(limits.ENTRY_TEXT_MAX)),
  released: nullable(partialDate),
  developers: list(name),
  publishers: list(name),
  platforms: list(sourceId),
  genres: list(name),
  type: nullable(name),
  cover: nullable(Link),
  isExplicitCover: nullable(z.boolean()),
  lengthMinutes: nullable(z.int().min(0)),
  url: nullable(Link),
})
export type Entry = z.infer<typeof Entry>
export type EntryInput = z.input<typeof Entry>

/** A game of the catalogue with the entries of HLTB that it may be. `platforms` are names; `details` are short facts. */
export const EntriesOfGame = z.object({
  gameId: Id,
  entries: z
    .array(
      z.object({
        id: entryId,
        name,
        releaseYear: nullable(z.int().min(1).max(9_999)),
        platforms: list(name),
        cover: nullable(Link),
        url: nullable(Link),
        details: list(name),
      }),
    )
    .max(limits.HLTB_ENTRIES_MAX),
})

/** Accepts anything and documents one form: a malformed member is refused by itself, and the others of the list go on. */
const leniently = <S extends z.ZodType>(form: S) =>
  z
    // The type is that of well-formed members, which `unknown` swallows.
    .array(z.union([form, z.unknown()]) as z.ZodType<unknown, z.input<S>>)
    .min(1)
    .max(limits.ENTRIES_MAX)

export const EntriesBody = z.discriminatedUnion('source', [
  z.object({ source: z.enum(['vndb', 'igdb', 'ra']), entries: leniently(Entry) }),
  z.object({ source: z.literal('hltb'), games: leniently(EntriesOfGame) }),
])
export type EntriesBody = z.output<typeof EntriesBody>

/** The outcome of an entry. */
const EntryOutcome = z.enum(['matched', 'new', 'waiting', 'refreshed', 'unchanged', 'decided', 'refused'])

/** `id` is that of the entry, for `hltb` that of the game. `gameId` is the game that the entry is, where known. */
export const EntryResult = z.object({
  id: z.string().nullable(),
  outcome: EntryOutcome,
  gameId: Id.nullable(),
  reason: ConflictReason.nullable(),
  message: z.string().nullable(),
})
export type EntryResult = z.infer<typeof EntryResult>

/** The results in the order of the entries. */
export const EntryResults = z.object({ results: z.array(EntryResult) })

/** The treatment of entries that no game is linked to: nothing, a conflict, or a new game where no game is similar. */
export const SYNC_NEW = ['linked', 'conflicts', 'games'] as const
export type SyncNew = (typeof SYNC_NEW)[number]
