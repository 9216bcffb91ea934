import { readPartialDate } from '../../../base/values/partial-date.ts'
import { withoutEmpty } from '../../../base/values/without-empty.ts'
import { ConflictEntry } from '../../../contract/conflicts.ts'
import type { Source } from '../../../contract/sources.ts'
import { readSubject } from '../../../domain/conflicts/stored-values.ts'
import { readByContract } from '../../../infrastructure/db/to-contract.ts'
import { readHltbEntry } from '../../../infrastructure/sources/hltb/hltb.ts'
import { readIgdbEntry } from '../../../infrastructure/sources/igdb/to-entry.ts'
import { readRaEntry } from '../../../infrastructure/sources/retroachievements/retroachievements.ts'
import { EntryError } from '../../../infrastructure/sources/transport/errors.ts'
import { readVndbEntry } from '../../../infrastructure/sources/vndb/vndb.ts'
import { objectsIn, toText } from '../site-values.ts'

const READERS = { igdb: readIgdbEntry, vndb: readVndbEntry, ra: readRaEntry, hltb: readHltbEntry }

/** Reads the subject of a conflict and the source's platforms: in the form of the source, in ours, or by its name alone. */
export function readSiteSubject(source: Source, externalName: string, externalData: unknown) {
  const entry = READERS[source](externalData)
  if (!(entry instanceof EntryError))
    return { subject: withoutEmpty(entry.subject), platforms: [...entry.game.platforms] }
  const [stored = null] = objectsIn([externalData])
  // The reader of stored subjects takes any form.
  const { platformIds: _, released, ...subject } = readSubject({ externalName, externalData: stored as null })
  return { subject: withoutEmpty({ ...subject, released: readPartialDate(released)?.text }), platforms: [] }
}

/** Reads the entries that a game may be, in the form of HLTB or in ours. */
export const readSiteEntries = (entries: unknown) =>
  objectsIn(entries).flatMap((raw) => {
    const entry = readHltbEntry(raw)
    if (!(entry instanceof EntryError)) {
      const { id, part, subject } = entry
      const { releaseYear, platforms } = readByContract(ConflictEntry, part)
      return {
        id,
        name: subject.name,
        ...withoutEmpty({ releaseYear, platforms, cover: subject.cover, url: subject.url }),
      }
    }
    const [id, name] = [toText(typeof raw.id === 'number' ? String(raw.id) : raw.id), toText(raw.name)]
    const { score: _, ...facts } = readByContract(ConflictEntry, raw)
    return id === null || name === null ? [] : { ...withoutEmpty(facts), id, name }
  })
