import type { EntryInput } from '#lib/contract/entries'
import { ENTRY_LIST_MAX, ENTRY_NAME_MAX, ENTRY_TEXT_MAX } from '#lib/contract/limits'
import { readUrl } from '#lib/contract/read-url'
import type { SourceEntry } from '#lib/infrastructure/sources/entries'

const listOf = (names: readonly string[] = []) =>
  names.filter((name) => name.length <= ENTRY_NAME_MAX).slice(0, ENTRY_LIST_MAX)

/** A link that the contract takes: an entry is not refused because of a picture. */
const linkOf = (link: string | null) => (link !== null && /^https?:/.test(link) && readUrl(link) ? link : null)

/** Turns an entry as its source sent it into one as a parser hands it over, within the contract's limits. */
export function toEntryInput({ id, game, subject }: SourceEntry): EntryInput {
  const { genres, type, companies = [] } = game.fields
  return {
    id,
    name: subject.name.slice(0, ENTRY_NAME_MAX),
    originalName: subject.originalName?.slice(0, ENTRY_NAME_MAX),
    alternativeNames: listOf(subject.alternativeNames),
    description: subject.description?.slice(0, ENTRY_TEXT_MAX),
    released: subject.released,
    developers: listOf(subject.developers),
    publishers: listOf(companies.filter(({ publisher }) => publisher).map(({ name }) => name)),
    platforms: game.platforms.slice(0, ENTRY_LIST_MAX),
    genres: listOf(genres),
    type,
    cover: linkOf(subject.cover),
    isExplicitCover: subject.isExplicitCover,
    lengthMinutes: subject.lengthMinutes,
    url: linkOf(subject.url),
  }
}
