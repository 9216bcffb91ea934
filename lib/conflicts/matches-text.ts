import type { Filter } from 'mongodb'
import type { ConflictDocument } from '../db/collections/conflicts.ts'

/** A NUL cannot stand in a pattern as itself. */
const escaped = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&').replaceAll('\0', '\\x00')

/** Conflicts whose title or whose candidates' names contain a text as it stands, in any case. */
export function matchesText(search: string): Filter<ConflictDocument> {
  const pattern = new RegExp(escaped(search), 'i')
  return { $or: [{ externalName: pattern }, { 'candidates.name': pattern }, { 'entries.name': pattern }] }
}
