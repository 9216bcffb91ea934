import { DomainError } from '../../base/errors.ts'
import { isIdentified, MESSAGES } from '../../contract/index.ts'
import type { ContentRequestDocument } from '../../infrastructure/db/collections/content-requests.ts'
import { IMAGE_FIELDS } from '../../infrastructure/storage/image-fields.ts'

const toRefusal = (message: string) => new DomainError('INVALID', message, { issues: [{ path: 'fields', message }] })

/**
 * Picks the part of a payload that is to be applied; all of it when no fields are named.
 * @throws DomainError INVALID when nothing is left, or a new entry would have neither a name nor a source id
 */
export function pickFields(
  { action, payload }: Pick<ContentRequestDocument, 'action' | 'payload'>,
  fields: readonly string[] | undefined,
): Record<string, unknown> {
  const picked = Object.entries(payload).filter(([field]) => fields === undefined || fields.includes(field))
  if (picked.length === 0) throw toRefusal(MESSAGES.fieldsEmpty)
  const fieldsToApply = Object.fromEntries(picked)
  if (action === 'add' && !isIdentified(fieldsToApply)) throw toRefusal(MESSAGES.newEntryLosesName)
  return fieldsToApply
}

/** Splits fields by result: failed if any image could not be copied, applied unless dropped or every image failed. */
export function splitByResult(
  payload: Readonly<Record<string, unknown>>,
  { failedLinks, droppedFields }: { failedLinks: readonly string[]; droppedFields: readonly string[] },
) {
  const failed = new Set<unknown>(failedLinks)
  const fields = Object.keys(payload).filter((field) => !droppedFields.includes(field))
  const listLinks = (field: string) => (IMAGE_FIELDS.includes(field) ? [payload[field]].flat() : [])
  const isFailed = (field: string) => listLinks(field).some((link) => failed.has(link))
  const isCopied = (field: string) => listLinks(field).some((link) => !failed.has(link))
  return {
    appliedFields: fields.filter((field) => isCopied(field) || !isFailed(field)),
    failedFields: fields.filter(isFailed),
  }
}
