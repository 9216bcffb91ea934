import type { ContentRequest } from '../../contract/requests.ts'
import { formatList } from '../format.ts'
import { fieldLabel } from './describe-request.ts'

const nameFields = (keys: readonly string[]) => formatList(keys.map(fieldLabel))

/** What came of the fields of an approved request. */
export function Result({ request: { status, payload, appliedFields, failedFields } }: { request: ContentRequest }) {
  if (status !== 'approved') return null
  const told = new Set([...appliedFields, ...failedFields])
  const leftOut = Object.keys(payload).filter((key) => !told.has(key))
  return (
    <>
      {appliedFields.length > 0 && <p>Applied: {nameFields(appliedFields)}</p>}
      {leftOut.length > 0 && <p>Left out: {nameFields(leftOut)}</p>}
      {failedFields.length > 0 && <p class="refusal">Images could not be copied: {nameFields(failedFields)}</p>}
    </>
  )
}
