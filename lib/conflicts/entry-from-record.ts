import { ObjectId } from 'mongodb'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import { stringsIn } from '../names/normalise-name.ts'
import { SourceError } from '../sources/transport/errors.ts'
import { distinctNames } from '../values/distinct-names.ts'
import { readPartialDate } from '../values/partial-date.ts'
import { withoutEmpty } from '../values/without-empty.ts'
import { entriesOf, textOr, textOrNull } from './stored-values.ts'
import { entryIdOf } from './writer/claimed-decision.ts'

const NUMBER_FORM = /^[1-9]\d{0,9}$/
const ID_FORMS = { igdb: NUMBER_FORM, vndb: /^v[1-9]\d{0,6}$/, hltb: NUMBER_FORM, ra: NUMBER_FORM } as const
/** Where nothing tells the console of an achievement set; its own numbers begin at 1. */
const UNKNOWN_CONSOLE = 0

export const platformIdsOf = ({ externalData }: Pick<ConflictDocument, 'externalData'>): ObjectId[] =>
  Array.isArray(externalData?.platformIds) ? externalData.platformIds.filter((id) => id instanceof ObjectId) : []

type PartOf<E> = E extends ResolvedEntry ? Pick<E, 'source' | 'part'> : never
type Part = PartOf<ResolvedEntry>

function partOf(record: ConflictDocument, consoleId: number | undefined): Part {
  const { source, externalData } = record
  const id = entryIdOf(record)

  switch (source) {
    case 'vndb':
      return { source, part: { vnId: id } }
    case 'igdb': {
      const url = textOrNull(externalData?.url)
      return { source, part: { gameId: Number(id), ...(url && { url }) } }
    }
    case 'hltb': {
      const { releaseYear, platforms, cover: imageUrl } = entriesOf(record).find((each) => each.id === id) ?? {}
      return { source, part: { hltbId: id, ...withoutEmpty({ releaseYear, platforms, imageUrl }) } }
    }
    case 'ra':
      return { source, part: { gameId: Number(id), consoleId: consoleId ?? UNKNOWN_CONSOLE } }
  }
}

/**
 * The entry of a record as it was last read, for a source that is switched off. Its images stay where they are: nothing
 * outside is asked.
 */
export function entryFromRecord(record: ConflictDocument, consoleId?: number): ResolvedEntry | SourceError {
  const { source, externalData, externalName, decision } = record
  const id = entryIdOf(record)
  if (!ID_FORMS[source].test(id)) return new SourceError(source, 'unknown', 'there is no such entry')
  const name = textOr(externalData?.name, textOr(externalName, ''))
  if (name === '' && decision === 'skip') return new SourceError(source, 'malformed', 'its name is not known')

  const firstRelease = readPartialDate(textOrNull(externalData?.released))?.seconds
  return {
    ...partOf(record, consoleId),
    id,
    fields: {
      ...withoutEmpty({
        alternative_names: distinctNames(
          [textOrNull(externalData?.originalName), ...stringsIn(externalData?.alternativeNames)],
          [name],
        ),
        summary: textOr(externalData?.description, ''),
        companies: stringsIn(externalData?.developers).map((developer) => ({ name: developer, developer: true })),
        platformIds: platformIdsOf(record),
      }),
      ...(firstRelease !== undefined && { first_release: firstRelease }),
      name,
    },
    images: {},
    characters: [],
  }
}
