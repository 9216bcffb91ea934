import { MongoServerError } from 'mongodb'
import { hasCode } from '../../base/system/has-code.ts'

export const DUPLICATE_KEY = 11_000

export const isDuplicateKey = (error: unknown) => hasCode(error, DUPLICATE_KEY)

/** The first field of the unique index that refused a write; undefined for every other error. */
export function duplicateKeyField(error: unknown): string | undefined {
  if (!(error instanceof MongoServerError) || !isDuplicateKey(error)) return undefined
  return Object.keys(error.keyPattern ?? {})[0]
}
