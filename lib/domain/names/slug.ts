import { isObjectId } from '../../contract/object-id.ts'
import { fold } from './normalise-name.ts'

const MAX_SLUG_LENGTH = 120
/** Paths below `/games` and `/characters` that are not entries. */
const RESERVED = new Set(['search', 'by-ids'])

/**
 * A slug from a name in any script: a-z, 0-9 and single dashes. A name that gives none, one that is a path, or one that
 * reads like an id gets a suffix, and so does each further `attempt` when the ones before are taken.
 */
export function toSlug(name: string, attempt = 1): string {
  const base = fold(name).slice(0, MAX_SLUG_LENGTH).trimEnd().replaceAll(' ', '-') || 'untitled'
  const isTaken = RESERVED.has(base) || isObjectId(base)
  const number = isTaken ? attempt + 1 : attempt
  return number === 1 ? base : `${base}-${number}`
}
