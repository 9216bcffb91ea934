import { MongoServerError } from 'mongodb'

const DUPLICATE_KEY = 11_000

/** The first field of the unique index that refused a write; undefined for every other error. */
export function duplicateKeyField(error: unknown): string | undefined {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return undefined
  return Object.keys(error.keyPattern ?? {})[0]
}
