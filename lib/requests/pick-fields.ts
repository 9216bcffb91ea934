import { MESSAGES } from '../contract/messages.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import { DomainError } from '../errors.ts'

const NAMING = ['name', 'igdbId', 'vndbId']

const refusal = (message: string) => new DomainError('INVALID', message, { issues: [{ path: 'fields', message }] })

/**
 * The part of a payload that is to be applied; all of it when no fields are named.
 * @throws DomainError INVALID when nothing is left, or a new entry would have nothing to be named by
 */
export function pickFields(
  { action, payload }: Pick<ContentRequestDocument, 'action' | 'payload'>,
  fields: readonly string[] | undefined,
): Record<string, unknown> {
  const picked = Object.entries(payload).filter(([field]) => fields === undefined || fields.includes(field))
  if (picked.length === 0) throw refusal(MESSAGES.fieldsEmpty)
  if (action === 'add' && !picked.some(([field]) => NAMING.includes(field))) {
    throw refusal(MESSAGES.newEntryLosesName)
  }
  return Object.fromEntries(picked)
}
