import type { ContentRequest } from '../../contract/requests.ts'
import { formatList } from '../format.ts'
import { fieldLabel } from './describe-request.ts'

const nameFields = (keys: readonly string[]) => formatList(keys.map(fieldLabel))

/** The applied, left out and failed fields of an approved request. */
export function Result({ request: { status, payload, appliedFields, failedFields } }: { request: ContentRequest }) {
  if (status !== 'approved') return null
  const told = new Set([...appliedFields, ...failedFields])
  const leftOut = Object.keys(payload).filter((key) => !told.has(key))
  const failed = failedFields.filter((key) => !appliedFields.includes(key))
  const partly = failedFields.filter((key) => appliedFields.includes(key))
  return (
    <>
      {appliedFields.length > 0 && <p>Applied: {nameFields(appliedFields)}</p>}
      {leftOut.length > 0 && <p>Not applied: {nameFields(leftOut)}</p>}
      {failed.length > 0 && <p class="refusal">Images could not be copied: {nameFields(failed)}</p>}
      {partly.length > 0 && <p class="refusal">Some images could not be copied: {nameFields(partly)}</p>}
    </>
  )
}
