import { MESSAGES } from '../contract/messages.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import { DomainError } from '../errors.ts'

const IDENTIFYING = ['name', 'igdbId', 'vndbId']

const toRefusal = (message: string) => new DomainError('INVALID', message, { issues: [{ path: 'fields', message }] })

/**
 * Picks the part of a payload that is to be applied; all of it when no fields are named.
 * @throws DomainError INVALID when nothing is left, or a new entry would have nothing to be named by
 */
export function pickFields(
  { action, payload }: Pick<ContentRequestDocument, 'action' | 'payload'>,
  fields: readonly string[] | undefined,
): Record<string, unknown> {
  const picked = Object.entries(payload).filter(([field]) => fields === undefined || fields.includes(field))
  if (picked.length === 0) throw toRefusal(MESSAGES.fieldsEmpty)
  if (action === 'add' && !picked.some(([field]) => IDENTIFYING.includes(field))) {
    throw toRefusal(MESSAGES.newEntryLosesName)
  }
  return Object.fromEntries(picked)
}
