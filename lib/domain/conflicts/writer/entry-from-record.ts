import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { ID_FORMS } from '#lib/contract/sources'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { EntryError, type SourceError } from '#lib/infrastructure/sources/transport/errors'
import type { ResolvedEntry } from '../../catalogue/entries/resolve-entries.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import { listEntries, objectIdsIn, readSubject, textOrNull } from '../stored-values.ts'
import { chosenEntryId } from './find-decisions.ts'

/** The console id of an achievement set without one; real ids begin at 1. */
const UNKNOWN_CONSOLE = 0

type PartOf<E> = E extends ResolvedEntry ? Pick<E, 'source' | 'part'> : never
type Part = PartOf<ResolvedEntry>

function toPart(record: ConflictDocument, consoleId: number | undefined): Part {
  const { source, externalData, updatedAt } = record
  const id = chosenEntryId(record)

  switch (source) {
    case 'vndb':
      return { source, part: { vnId: id } }
    case 'igdb': {
      const url = textOrNull(externalData?.url)
      return { source, part: { gameId: Number(id), ...(url && { url }) } }
    }
    case 'hltb': {
      const { releaseYear, platforms, cover: imageUrl } = listEntries(record).find((entry) => entry.id === id) ?? {}
      return { source, part: { hltbId: id, ...withoutEmpty({ releaseYear, platforms, imageUrl }), updatedAt } }
    }
    case 'ra':
      return { source, part: { gameId: Number(id), consoleId: consoleId ?? UNKNOWN_CONSOLE } }
  }
}

const toCompanies = (developers: readonly string[], publishers: readonly string[]) =>
  distinctNames([...developers, ...publishers]).map((name) => ({
    name,
    ...(developers.includes(name) && { developer: true }),
    ...(publishers.includes(name) && { publisher: true }),
  }))

/**
 * Builds an entry from the stored record, for a source that is switched off. Images are not copied, because no source is
 * requested.
 */
export function entryFromRecord(record: ConflictDocument, consoleId?: number): ResolvedEntry | SourceError {
  const { source, externalData, decision } = record
  const id = chosenEntryId(record)
  if (!ID_FORMS[source].test(id)) return new EntryError(source, 'not-found', 'there is no such entry')
  const { name, originalName, alternativeNames, description, developers, released } = readSubject(record)
  if (name === '' && decision === 'skip') return new EntryError(source, 'malformed', 'its name is not known')

  const type = textOrNull(externalData?.type)
  const firstRelease = readPartialDate(released)?.seconds
  return {
    ...toPart(record, consoleId),
    id,
    fields: {
      ...withoutEmpty({
        alternative_names: distinctNames([originalName, ...alternativeNames], [name]),
        summary: description,
        companies: toCompanies(developers, stringsIn(externalData?.publishers)),
        genres: stringsIn(externalData?.genres),
        platformIds: objectIdsIn(externalData?.platformIds),
      }),
      ...(firstRelease !== undefined && { first_release: firstRelease }),
      ...(type !== null && { type }),
      name,
    },
    images: {},
    characters: [],
  }
}
