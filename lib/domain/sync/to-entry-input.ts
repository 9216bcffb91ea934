import { Entry, type EntryInput } from '#lib/contract/entries'
import { ENTRY_LIST_MAX, ENTRY_NAME_MAX, ENTRY_TEXT_MAX } from '#lib/contract/limits'
import type { SourceEntry } from '#lib/infrastructure/sources/entries'

const { id: _, name: nameSchema, ...optional } = Entry.shape

const toNames = (names: readonly string[] = []) =>
  names.filter((name) => nameSchema.safeParse(name).success).slice(0, ENTRY_LIST_MAX)

/**
 * Turns an entry as its source sent it into one as a parser hands it over, within the contract's limits. A picture or another
 * optional fact that the contract does not take is left out, so that no entry is refused because of it.
 */
export function toEntryInput({ id, game, subject }: SourceEntry): EntryInput {
  const { genres, type, companies = [] } = game.fields
  const input: EntryInput = {
    id,
    name: subject.name.slice(0, ENTRY_NAME_MAX),
    originalName: subject.originalName?.slice(0, ENTRY_NAME_MAX),
    alternativeNames: toNames(subject.alternativeNames),
    description: subject.description?.slice(0, ENTRY_TEXT_MAX),
    released: subject.released,
    developers: toNames(subject.developers),
    publishers: toNames(companies.filter(({ publisher }) => publisher).map(({ name }) => name)),
    platforms: game.platforms.slice(0, ENTRY_LIST_MAX),
    genres: toNames(genres),
    type,
    cover: subject.cover,
    isExplicitCover: subject.isExplicitCover,
    lengthMinutes: subject.lengthMinutes,
    url: subject.url,
  }
  for (const [field, schema] of Object.entries(optional)) {
    // The fields of a constant object are known.
    if (!schema.safeParse(input[field as keyof typeof optional]).success) delete input[field as keyof typeof optional]
  }
  return input
}
